// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The cycle model alone, on every tested configuration: results against the functional model
// through the device interface, and how busy it is in steady streaming.

#include "sw_model/tile/tile_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sw_model/numerics/fp32.h"
#include "sw_model/tile/checked_device.h"
#include "sw_model/tile/golden_device.h"
#include "tb/options.h"
#include "tb/report.h"
#include "tb/tile/clocked_device.h"
#include "tests/tile/random_commands.h"
#include "tests/tile/random_product.h"
#include "tests/tile/small_configurations.h"
#include "tests/tile/steady_state.h"

namespace rivulet {
namespace {

constexpr std::array<Stream, 4> kStreams{Stream::kQ8, Stream::kQ4, Stream::kQ2, Stream::kBf16};

std::vector<Stream> streams_of(const Configuration& configuration) {
  if (configuration.q8_only != 0) return {Stream::kQ8, Stream::kBf16};
  return {kStreams.begin(), kStreams.end()};
}

class TileModelTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tile, TileModelTest,
                         testing::Values("unit", "edge", "kv260", "group1", "group2", "group8",
                                         "q8only"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(TileModelTest, DeviceEqualsTheGoldenDevice) {
  const Configuration& config = tested_configuration(GetParam());
  ProductSource source;
  std::vector<TileShape> shapes = tile_shapes(config);
  std::erase_if(shapes, [](const TileShape& s) { return s.m * s.n * s.k > 3'000'000; });
  ASSERT_GE(shapes.size(), 20U);
  for (const uint64_t seed : options().seeds(2)) {
    Random random(seed);
    const DeviceOptions device_options{.seed = seed,
                                       .stall_in = seed == 0 ? 0 : 0.1,
                                       .stall_out = seed == 0 ? 0 : 0.2,
                                       .trace_file = ""};
    CheckedDevice device(make_cycle_device(config, device_options),
                         std::make_unique<GoldenDevice>(),
                         options().repeat_command(report().current_test(), seed));
    uint64_t expected = 0;
    for (const TileShape& shape : shapes) {
      for (const Stream stream : streams_of(config)) {
        const OwnedProduct p = source.draw(random, config, shape, stream);
        if (stream == Stream::kBf16) {
          device.gemm_bf16(p.shape, p.x, p.w, p.read.kind);
        } else {
          device.gemm(p.shape, p.x, p.codes, p.scale, p.read);
        }
        expected += 2 * shape.m * shape.n;
      }
    }
    EXPECT_EQ(device.words_compared(), expected);
    report().add_compared("words", device.words_compared());
    const Counters counters = device.counters();
    report().add_simulation(counters.cycles);
    EXPECT_EQ(counters.jobs, streams_of(config).size() * shapes.size());
    uint64_t macs = 0;
    for (const TileShape& shape : shapes)
      macs += streams_of(config).size() * shape.m * shape.n * shape.k;
    EXPECT_EQ(counters.total_macs(), macs);
    EXPECT_GE(counters.cycles, counters.array_busy_cycles);
    EXPECT_GT(counters.link_beats, 0U);
    EXPECT_GE(counters.fetched_bytes.total(), counters.stored_bytes.total());
    uint64_t idle = 0;
    for (const auto& [cause, cycles] : counters.idle_cycles) idle += cycles;
    EXPECT_EQ(counters.array_busy_cycles + idle + 1, counters.cycles);  // the last is counted later
  }
}

// Random commands, in any mixture that is legal: every result beat.
TEST_P(TileModelTest, CommandsGiveTheirResults) {
  const Configuration& config = tested_configuration(GetParam());
  constexpr size_t kJobs = 40;
  std::map<std::string, size_t> seen;
  for (const uint64_t seed : options().seeds(6)) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    RandomCommands commands(config, random);
    for (size_t job = 0; job < kJobs; ++job) commands.add_job(150);
    TileModel tile(config);
    const double stall = seed % 2 == 0 ? 0 : 0.3;
    RandomStalls stalls(stall, stall, seed);
    TileDriver driver(tile, stalls, {}, IdlePayload::kNoise, seed);
    const std::vector<OutputBeat> beats = run_streams(driver, config, commands.streams());
    ASSERT_EQ(beats.size(), commands.results().size());
    for (size_t i = 0; i < beats.size(); ++i) {
      ASSERT_EQ(beats[i], commands.results()[i]) << "result beat " << i;
    }
    driver.idle(50);
    report().add_compared("result beats", beats.size());
    report().add_simulation(driver.cycles());
    for (const auto& [what, count] : commands.seen()) seen[what] += count;
  }
  // Empty segments, eight streams and orders, replay, the store, the largest values: less what the
  // tile does not have.
  EXPECT_EQ(seen.size(), 12U - (config.q8_only != 0 ? 4 : 0) - (config.x_tiles == 0 ? 1 : 0));
}

// Products of every order and of mixed tiers, four to a program.
TEST_P(TileModelTest, ProgramsEqualTheGoldenDevice) {
  const Configuration& config = tested_configuration(GetParam());
  ProductSource source;
  std::vector<TileShape> shapes = tile_shapes(config);
  std::erase_if(shapes, [](const TileShape& s) { return s.m * s.n * s.k > 1'000'000; });
  // Several row blocks and stripes.
  const auto positions = static_cast<size_t>(config.positions);
  shapes.push_back({4 * positions + 1, 45, 2 * static_cast<size_t>(config.group) + 1});
  shapes.push_back({2 * positions, 300, static_cast<size_t>(config.group)});
  for (const uint64_t seed : options().seeds(2)) {
    Random random(seed);
    TileModel tile(config);
    RandomStalls stalls(seed == 0 ? 0 : 0.1, seed == 0 ? 0 : 0.2, seed);
    TileDriver driver(tile, stalls, {}, IdlePayload::kNoise, seed);
    for (const TileShape& shape : shapes) {
      TileProgram program(config, Padding::kPoison);
      std::vector<OwnedProduct> products;
      for (const Stream stream : streams_of(config)) {
        products.push_back(source.draw(random, config, shape, stream, random.chance(0.5)));
        if (stream != Stream::kBf16 && random.chance(0.5)) {
          if (products.back().transpose && random.chance(0.5)) {
            source.gather(random, config, products.back());
          } else {
            source.mix(random, config, products.back());
          }
        }
        program.add(products.back().product());
      }
      const std::vector<GemmResult> results =
          program.results(run_streams(driver, config, program.streams()));
      for (size_t p = 0; p < products.size(); ++p) {
        const GemmResult golden = products[p].golden();
        for (size_t i = 0; i < golden.acc.size(); ++i) {
          ASSERT_EQ(fp32_bits(golden.acc[i]), fp32_bits(results[p].acc[i]))
              << products[p].describe() << ", output " << i / shape.n << ", " << i % shape.n;
          ASSERT_EQ(golden.y[i], results[p].y[i]) << products[p].describe();
        }
        report().add_compared("words", 2 * golden.acc.size());
      }
    }
    driver.idle(50);
    report().add_simulation(driver.cycles());
  }
}

TEST(TileModelThroughput, ArrayIsBusyInSteadyStreaming) {
  for (const char* name : {"edge", "kv260"}) {
    for (const Stream stream : kStreams) {
      TileModel tile(configuration(name));
      const SteadyState s = steady_state(tile, stream);
      EXPECT_GE(s.busy(), 0.99) << name << " " << kStreamNames[static_cast<size_t>(stream)];
      EXPECT_LE(s.busy(), 1.0);
      report().add_simulation(s.simulated_cycles);
    }
  }
}

// Q0 fetches nothing.
TEST(TileModelDevice, Q0IsZero) {
  const auto device = make_cycle_device(configuration("unit"), {});
  const std::vector<Bf16> x(6, Bf16{0x3F80});
  const std::vector<int8_t> codes(9, 1);
  const std::vector<Bf16> scale(3, Bf16{0x3F80});
  const GemmShape shape{.m = 2, .n = 3, .k = 3, .group = 32};
  const GemmResult result = device->gemm(shape, x, codes, scale, {.tier = Tier::kQ0});
  EXPECT_EQ(result.acc, std::vector<float>(6, 0.0F));
  EXPECT_EQ(result.y, std::vector<Bf16>(6));
  EXPECT_EQ(device->counters().fetched_bytes.total(), 0U);
  EXPECT_EQ(device->counters().link_beats, 0U);
}

}  // namespace
}  // namespace rivulet
