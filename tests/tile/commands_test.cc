// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Any legal sequence of commands, on the RTL and its cycle model in lockstep, against exact sums:
// streams and orders mixed in a job, replay, tiles from the store, empty segments, stalls, resets.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tb/options.h"
#include "tests/tile/command_bench.h"

namespace rivulet {
namespace {

struct Pattern {
  const char* name;
  std::vector<Stall> stalls;
};

std::vector<Stall> all(const Stall& in, const Stall& out) {
  std::vector<Stall> stalls(kTileStreams + 1, in);
  stalls.back() = out;
  return stalls;
}

std::vector<Pattern> patterns() {
  std::vector<Pattern> result{{"free", all(Stall::never(), Stall::never())},
                              {"random 0.3", all(Stall::random(0.3), Stall::random(0.3))},
                              {"slow inputs", all(Stall::random(0.9), Stall::never())},
                              {"slow results", all(Stall::never(), Stall::random(0.9))},
                              {"bursts", all(Stall::bursts(9, 7), Stall::alternate())}};
  static constexpr std::array<const char*, kTileStreams> kSlow{
      "slow loads", "slow reads", "slow passes", "slow rows",
      "slow words", "slow values", "slow scales"};
  for (size_t stream = 0; stream < kTileStreams; ++stream) {
    std::vector<Stall> stalls = all(Stall::never(), Stall::never());
    stalls[stream] = Stall::random(0.9);
    result.push_back({kSlow[stream], stalls});
  }
  return result;
}

class CommandsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!options().selects_config(GetParam())) GTEST_SKIP();
  }
  const TileVariant& variant() const { return tile_variant(GetParam()); }
};
std::string variant_name(const testing::TestParamInfo<const char*>& info) { return info.param; }

class SmallCommandsTest : public CommandsTest {};
INSTANTIATE_TEST_SUITE_P(Tile, SmallCommandsTest,
                         testing::Values("unit", "group1", "group2", "group8", "q8only"),
                         variant_name);

// What a test of so many jobs must have met.
void expect_seen(const std::map<std::string, size_t>& seen, const Configuration& configuration) {
  std::vector<std::string> kinds{"q8", "q8 transposed", "bf16", "bf16 transposed", "empty segment"};
  if (configuration.q8_only == 0) {
    kinds.insert(kinds.end(), {"q4", "q4 transposed", "q2", "q2 transposed"});
  }
  if (configuration.x_tiles != 0) kinds.emplace_back("tile from the store");
  kinds.emplace_back("replay");
  for (const std::string& kind : kinds) {
    EXPECT_TRUE(seen.contains(kind)) << kind << " never occurred";
  }
}

TEST_P(SmallCommandsTest, RandomSequences) {
  std::map<std::string, size_t> seen;
  for (const uint64_t seed : options().seeds(3)) {
    for (const Pattern& pattern : patterns()) {
      SCOPED_TRACE(testing::Message() << pattern.name << ", seed " << seed);
      CommandBench bench(variant(), pattern.name, pattern.stalls, seed);
      RandomCommands commands(variant().configuration, bench.random());
      for (int job = 0; job < 24; ++job) commands.add_job(100);
      bench.run(commands);
      for (const auto& [kind, count] : commands.seen()) seen[kind] += count;
      ASSERT_TRUE(bench.finish());
    }
  }
  if (!options().seed) expect_seen(seen, variant().configuration);
}

// A reset at any time leaves nothing behind.
TEST_P(SmallCommandsTest, ResetAnyTime) {
  for (const uint64_t seed : options().seeds(5)) {
    CommandBench bench(variant(), "random 0.3", all(Stall::random(0.3), Stall::random(0.3)), seed);
    for (int i = 0; i < 5; ++i) {
      RandomCommands interrupted(variant().configuration, bench.random());
      for (int job = 0; job < 4; ++job) interrupted.add_job(100);
      if (!bench.run(interrupted, 1 + bench.random().below(900))) break;
      RandomCommands commands(variant().configuration, bench.random());
      for (int job = 0; job < 2; ++job) commands.add_job(100);
      if (!bench.run(commands)) break;
    }
    ASSERT_TRUE(bench.finish());
  }
}

class LargeCommandsTest : public CommandsTest {};
INSTANTIATE_TEST_SUITE_P(Tile, LargeCommandsTest, testing::Values("edge", "kv260"), variant_name);

TEST_P(LargeCommandsTest, RandomSequences) {
  if (!has_rtl_tile(variant().configuration)) GTEST_SKIP() << "not in RIVULET_RTL_CONFIGURATIONS";
  for (const uint64_t seed : options().seeds(2)) {
    const std::vector<Pattern> all_patterns = patterns();
    const Pattern& pattern = all_patterns[seed % 5];
    SCOPED_TRACE(testing::Message() << pattern.name << ", seed " << seed);
    CommandBench bench(variant(), pattern.name, pattern.stalls, seed);
    RandomCommands commands(variant().configuration, bench.random());
    for (int job = 0; job < 12; ++job) commands.add_job(100);
    bench.run(commands);
    ASSERT_TRUE(bench.finish());
  }
}

}  // namespace
}  // namespace rivulet
