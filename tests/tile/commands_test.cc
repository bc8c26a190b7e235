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
#include "tests/tile/tile_bench.h"

namespace rivulet {
namespace {

RandomCommands random_jobs(const TileVariant& variant, Random& random, int jobs) {
  RandomCommands commands(variant.configuration, random);
  for (int job = 0; job < jobs; ++job) commands.add_job(100);
  return commands;
}

class CommandsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!options().selects_config(GetParam())) GTEST_SKIP();
    if (!variant().present()) GTEST_SKIP() << "no RTL of this configuration in this program";
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
  kinds.emplace_back("largest values");
  for (const std::string& kind : kinds) {
    EXPECT_TRUE(seen.contains(kind)) << kind << " never occurred";
  }
}

TEST_P(SmallCommandsTest, RandomSequences) {
  std::map<std::string, size_t> seen;
  for (const uint64_t seed : options().seeds(3)) {
    for (const StallPattern& pattern : stall_patterns()) {
      SCOPED_TRACE(testing::Message() << pattern.name << ", seed " << seed);
      Random random(seed);
      TileBench bench(variant(), pattern, seed);
      const RandomCommands commands = random_jobs(variant(), random, 24);
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
    Random random(seed);
    TileBench bench(variant(), stall_patterns()[1], seed);
    for (int i = 0; i < 5; ++i) {
      const RandomCommands interrupted = random_jobs(variant(), random, 4);
      if (!bench.run_and_reset(interrupted.streams(), 1 + random.below(200))) break;
      if (!bench.run(random_jobs(variant(), random, 2))) break;
    }
    ASSERT_TRUE(bench.finish());
  }
}

class LargeCommandsTest : public CommandsTest {};
INSTANTIATE_TEST_SUITE_P(Tile, LargeCommandsTest, testing::Values("edge", "kv260"), variant_name);

TEST_P(LargeCommandsTest, RandomSequences) {
  for (const uint64_t seed : options().seeds(3)) {
    const StallPattern& pattern = stall_patterns()[seed % 5];
    SCOPED_TRACE(testing::Message() << pattern.name << ", seed " << seed);
    Random random(seed);
    TileBench bench(variant(), pattern, seed);
    bench.run(random_jobs(variant(), random, 8));
    ASSERT_TRUE(bench.finish());
  }
}

}  // namespace
}  // namespace rivulet
