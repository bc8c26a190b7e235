// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The bench itself: each kind of fault must be seen, and explained.

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "sw_model/common/device_error.h"
#include "tests/tile/tile_bench.h"

namespace rivulet {
namespace {

// A tile whose outputs are changed on the way out.
class FaultyTile : public ClockedBlock<TileBlock> {
 public:
  explicit FaultyTile(TilePtr tile) : tile_(std::move(tile)) {}

  void reset() override { tile_->reset(); }
  const TileOutputs& step(const TileInputs& inputs) override {
    outputs_ = tile_->step(inputs);
    spoil(outputs_);
    return outputs_;
  }
  TileCounters counters() const override { return tile_->counters(); }

 protected:
  virtual void spoil(TileOutputs& outputs) = 0;

 private:
  TilePtr tile_;
  TileOutputs outputs_;
};

// The last column of the last output beat, one bit.
class LastAccWrong final : public FaultyTile {
  using FaultyTile::FaultyTile;
  void spoil(TileOutputs& outputs) override {
    if (outputs.y_valid && outputs.y_last) outputs.acc[0][0] ^= 1;
  }
};
class LastYWrong final : public FaultyTile {
  using FaultyTile::FaultyTile;
  void spoil(TileOutputs& outputs) override {
    if (outputs.y_valid && outputs.y_last) outputs.y[0] ^= 1;
  }
};
class LastFlagMissing final : public FaultyTile {
  using FaultyTile::FaultyTile;
  void spoil(TileOutputs& outputs) override { outputs.y_last = false; }
};
class PaddingNotZero final : public FaultyTile {
  using FaultyTile::FaultyTile;
  void spoil(TileOutputs& outputs) override { outputs.y[0] |= uint64_t{1} << 63; }
};
class ReadyEarly final : public FaultyTile {
  using FaultyTile::FaultyTile;
  void spoil(TileOutputs& outputs) override {
    outputs.ready[static_cast<size_t>(TileStream::kPass)] ^= true;
  }
};
class NeverReady final : public FaultyTile {
  using FaultyTile::FaultyTile;
  void spoil(TileOutputs& outputs) override {
    outputs.ready[static_cast<size_t>(TileStream::kScale)] = false;
  }
};

template <typename Fault>
TilePtr wrap(TilePtr tile) {
  return std::make_unique<Fault>(std::move(tile));
}

// One product of m 1, n 1 (so that the last beat has one column), k 3.
OwnedProduct small_product() {
  OwnedProduct p;
  p.shape = {.m = 1, .n = 1, .k = 3, .group = 8};
  p.x = {Bf16{0x3F80}, Bf16{0x4000}, Bf16{0xBF80}};
  p.codes = {1, -2, 100};
  p.scale = {Bf16{0x3F80}};
  return p;
}

// What a bench with this fault prints; it must fail.
std::string failure(TileFaults faults) {
  testing::internal::CaptureStderr();
  TileBench bench(tile_variant("unit"), stall_patterns()[0], 3, faults);
  bench.run({small_product()});
  const bool passed = bench.finish();
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_FALSE(passed) << text;
  EXPECT_NE(text.find("repeat: "), std::string::npos) << text;
  EXPECT_NE(text.find("--seed 3"), std::string::npos) << text;
  return text;
}
void expect_text(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "expected '" << part << "' in:\n" << text;
}

TEST(TileBenchTest, PassesWithoutAFault) {
  TileBench bench(tile_variant("unit"), stall_patterns()[0], 3);
  bench.run({small_product()});
  EXPECT_TRUE(bench.finish());
}

TEST(TileBenchTest, SeesTheLastWordOnThePorts) {
  expect_text(failure({.rtl = wrap<LastAccWrong>}), "y payload");
  expect_text(failure({.rtl = wrap<LastYWrong>}), "y payload");
  expect_text(failure({.rtl = wrap<LastFlagMissing>}), "y payload");
}

TEST(TileBenchTest, SeesTheLastWordInTheResults) {
  expect_text(failure({.both = wrap<LastAccWrong>}), ": acc");
  expect_text(failure({.both = wrap<LastYWrong>}), ": y");
  expect_text(failure({.both = wrap<LastFlagMissing>}), "last is false, expected true");
  expect_text(failure({.both = wrap<PaddingNotZero>}), "beyond the matrix");
}

TEST(TileBenchTest, SeesAWrongHandshake) {
  expect_text(failure({.rtl = wrap<ReadyEarly>}), "pass_ready_o");
}

TEST(TileDriverTest, TimesOutWithTheStateOfEveryHandshake) {
  const OwnedProduct owned = small_product();
  const Configuration& unit = configuration("unit");
  const auto message = [&](const TilePtr& tile, BlockLimits limits) {
    TileProgram program(unit);
    program.add(owned.product());
    RandomStalls stalls(0, 0, 1);
    TileDriver driver(*tile, stalls, limits);
    try {
      run_streams(driver, unit, program.streams());
    } catch (const TimeOut& error) {
      return std::string(error.what());
    }
    return std::string("no time-out");
  };
  const std::string stuck =
      message(wrap<NeverReady>(std::make_unique<TileModel>(unit)), {.max_idle_cycles = 500});
  expect_text(stuck, "no transfer on any port for 500 cycles");
  expect_text(stuck, "scale valid 1 ready 0, 0 transferred");
  expect_text(stuck, "x     valid 0 ready 0, 1 transferred");
  const std::string slow = message(std::make_unique<TileModel>(unit), {.max_cycles = 5});
  expect_text(slow, "not done within 5 cycles");
  expect_text(slow, "y     valid 0 ready 1, 0 transferred");
}

TEST(RtlTileTest, RefusesAModelOfOtherParameters) {
  for (int Configuration::*field :
       {&Configuration::positions, &Configuration::psum_depth, &Configuration::x_tiles}) {
    Configuration other = configuration("unit");
    other.*field += 4;
    EXPECT_THROW(make_rtl_tile(other, {}), std::runtime_error);
  }
  Configuration unknown = configuration("unit");
  unknown.name = "tower";
  EXPECT_THROW(make_rtl_tile(unknown, {}), std::invalid_argument);
}

}  // namespace
}  // namespace rivulet
