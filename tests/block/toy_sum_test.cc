// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The example of "a new block in a day" (CONTRIBUTING.md), and the harness of tb/block itself: a
// block is right, and each kind of fault is seen.

#include <gtest/gtest.h>

#include <deque>
#include <numeric>
#include <vector>

#include "Vtoy_sum.h"
#include "tb/block/block_bench.h"
#include "tb/options.h"
#include "tests/block/toy_sum_model.h"
#include "tests/block/toy_sum_ports.h"

namespace rivulet {
namespace {

// What the block computes, from its definition.
int16_t golden_sum(const std::vector<int8_t>& packet) {
  return static_cast<int16_t>(std::accumulate(packet.begin(), packet.end(), 0));
}

class ToySumTraffic final : public BlockTraffic<ToySumBlock> {
 public:
  explicit ToySumTraffic(Channel& sums) : sums_(sums) {}

  void add(std::vector<int8_t> packet) {
    expected_.push_back(golden_sum(packet));
    packets_.push_back(std::move(packet));
    sums_.expect(1);
  }

  bool offer(size_t /*input*/, ToySumInputs& inputs) override {
    if (packets_.empty()) return false;
    inputs.value = packets_.front()[next_];
    inputs.last = next_ + 1 == packets_.front().size();
    return true;
  }
  void accepted(size_t /*input*/) override {
    if (++next_ < packets_.front().size()) return;
    packets_.pop_front();
    next_ = 0;
  }
  void arrived(size_t /*output*/, const ToySumOutputs& outputs) override {
    if (expected_.empty()) throw Mismatch("a sum after the last one");
    sums_.compare(static_cast<uint16_t>(expected_.front()), static_cast<uint16_t>(outputs.sum));
    expected_.pop_front();
  }
  bool done() const override { return packets_.empty() && expected_.empty(); }

 private:
  Channel& sums_;
  std::deque<std::vector<int8_t>> packets_;
  std::deque<int16_t> expected_;
  size_t next_ = 0;
};

void add_packets(ToySumTraffic& traffic, Random& random, int count) {
  for (int i = 0; i < count; ++i) {
    std::vector<int8_t> packet(1 + random.below(random.chance(0.2) ? 256 : 5));
    for (int8_t& value : packet) value = static_cast<int8_t>(random.next());
    if (random.chance(0.1))
      packet.assign(256, int8_t{-128});  // the bound that the width comes from
    traffic.add(packet);
  }
}

const MakeBlock<ToySumBlock> kRtl = verilated<ToySumBlock, Vtoy_sum>();

TEST(ToySum, RandomStalls) {
  for (const uint64_t seed : options().seeds(5)) {
    for (const double stall : {0.0, 0.3, 0.9}) {
      BlockBench<ToySumBlock> bench("toy_sum", kRtl, std::make_unique<ToySumModel>(),
                                    {stall, stall}, seed);
      ToySumTraffic traffic(bench.scoreboard().channel("sums"));
      Random random(seed);
      add_packets(traffic, random, 60);
      bench.run(traffic);
      ASSERT_TRUE(bench.finish());
    }
  }
}

TEST(ToySum, ResetInTheMiddle) {
  for (const uint64_t seed : options().seeds(5)) {
    BlockBench<ToySumBlock> bench("toy_sum", kRtl, std::make_unique<ToySumModel>(), {0.2, 0.4},
                                  seed);
    Random random(seed);
    for (uint64_t cycles = 0; cycles < 30; ++cycles) {
      Scoreboard aside({.name = "before the reset", .seed = seed});
      ToySumTraffic cut(aside.channel("sums"));
      add_packets(cut, random, 40);
      bench.run_and_reset(cut, cycles);
    }
    ToySumTraffic traffic(bench.scoreboard().channel("sums"));
    add_packets(traffic, random, 20);
    bench.run(traffic);
    ASSERT_TRUE(bench.finish());
  }
}

// A block that is wrong in one way.
class Faulty final : public ClockedBlock<ToySumBlock> {
 public:
  using Spoil = void (*)(ToySumOutputs&, uint16_t&);
  explicit Faulty(Spoil spoil) : spoil_(spoil) {}

  void reset() override { model_.reset(); }
  const ToySumOutputs& step(const ToySumInputs& inputs) override {
    outputs_ = model_.step(inputs);
    packets_ = model_.counters();
    spoil_(outputs_, packets_);
    return outputs_;
  }
  uint16_t counters() const override { return packets_; }

 private:
  Spoil spoil_;
  ToySumModel model_;
  ToySumOutputs outputs_;
  uint16_t packets_ = 0;
};

// What the bench prints about a fault, between the block and its model or behind both.
std::string failure(Faulty::Spoil spoil, bool in_both = false) {
  testing::internal::CaptureStderr();
  std::unique_ptr<ClockedBlock<ToySumBlock>> model = std::make_unique<ToySumModel>();
  if (in_both) model = std::make_unique<Faulty>(spoil);
  const auto faulty = [spoil](uint64_t, const WaveOptions&) {
    return std::make_unique<Faulty>(spoil);
  };
  BlockBench<ToySumBlock> bench("toy_sum", faulty, std::move(model),
                                BlockBench<ToySumBlock>::Stalls{}, 3);
  ToySumTraffic traffic(bench.scoreboard().channel("sums"));
  traffic.add({1, 2, 3});
  traffic.add({-4});
  bench.run(traffic);
  EXPECT_FALSE(bench.finish());
  return testing::internal::GetCapturedStderr();
}

TEST(BlockHarness, EveryKindOfFaultIsSeen) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"in_ready_o", failure([](ToySumOutputs& o, uint16_t&) { o.in_ready = !o.in_ready; })},
      {"sum_valid_o", failure([](ToySumOutputs& o, uint16_t&) { o.sum_valid = true; })},
      {"sum payload", failure([](ToySumOutputs& o, uint16_t&) { o.sum ^= o.sum == -4 ? 1 : 0; })},
      {"counters_o", failure([](ToySumOutputs&, uint16_t& packets) { packets ^= 1; })},
      {"sums", failure([](ToySumOutputs& o, uint16_t&) { o.sum ^= o.sum == -4 ? 1 : 0; }, true)},
  };
  for (const auto& [name, text] : cases) {
    EXPECT_NE(text.find(name), std::string::npos) << "expected '" << name << "' in:\n" << text;
    EXPECT_NE(text.find("--seed 3"), std::string::npos) << text;
  }
}

TEST(BlockHarness, TimesOutWithTheStateOfEveryHandshake) {
  Faulty stuck([](ToySumOutputs& o, uint16_t&) { o.in_ready = o.sum_valid = false; });
  RandomStalls stalls(0, 0, 1);
  BlockDriver<ToySumBlock> driver(stuck, stalls, {.max_idle_cycles = 100});
  Scoreboard aside({.name = "aside"});
  ToySumTraffic traffic(aside.channel("sums"));
  traffic.add({1});
  try {
    driver.run(traffic);
    FAIL() << "no time-out";
  } catch (const TimeOut& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("no transfer on any port for 100 cycles"), std::string::npos) << text;
    EXPECT_NE(text.find("in    valid 1 ready 0, 0 transferred"), std::string::npos) << text;
    EXPECT_NE(text.find("sum   valid 0 ready 1, 0 transferred"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace rivulet
