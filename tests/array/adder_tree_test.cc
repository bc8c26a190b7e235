// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The adder tree against the sum in C++: extreme and random numbers, one set per cycle, and a level
// that is not enabled holds. Runs on the RTL and on the netlist, whose adders are the technology
// cell.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>

#include "Vadder_tree.h"
#include "Vadder_tree_params.h"
#include "tb/options.h"
#include "tb/random.h"
#include "tb/simulation.h"

namespace rivulet {
namespace {

constexpr int kInputs = Vadder_treeParams::kInputs;
constexpr unsigned kWidth = Vadder_treeParams::kWidth;
constexpr int kLevels = Vadder_treeParams::kLevels;
constexpr unsigned kSumWidth = kWidth + 5;  // clog2(22)
constexpr int kWords = (kInputs * static_cast<int>(kWidth) + 31) / 32;
constexpr int kSets = 20000;
static_assert(kInputs > 16 && kInputs <= 32);

TEST(AdderTreeTest, SumsEverySet) {
  const uint64_t seed = options().seed.value_or(1);
  Random random(seed);
  Simulation<Vadder_tree> simulation(seed);
  Vadder_tree& top = simulation.top();
  const int64_t most = (int64_t{1} << (kWidth - 1)) - 1;
  std::array<std::optional<int64_t>, kLevels> expected;  // what each level holds
  int compared = 0;
  for (int set = 0; compared < kSets; ++set) {
    int64_t sum = 0;
    for (int word = 0; word < kWords; ++word) top.value_i[word] = 0;
    const uint64_t kind = random.below(8);  // all most, all least, else a mix with many extremes
    for (int i = 0; i < kInputs; ++i) {
      int64_t value = random.between(-most - 1, most);
      if (kind == 0 || (kind > 1 && random.below(8) == 0)) value = most;
      if (kind == 1 || (kind > 1 && random.below(8) == 0)) value = -most - 1;
      sum += value;
      for (unsigned b = 0; b < kWidth; ++b) {
        const unsigned at = kWidth * static_cast<unsigned>(i) + b;
        top.value_i[at / 32] |= static_cast<uint32_t>((value >> b) & 1) << (at % 32);
      }
    }
    // Level l takes the sums of the level before it only while its bit is set: bubbles.
    const auto enabled = static_cast<uint32_t>(random.below(1U << kLevels));
    top.en_i = enabled;
    simulation.settle();
    simulation.edge();
    for (int l = kLevels - 1; l > 0; --l) {
      if ((enabled >> l & 1) != 0) expected[l] = expected[l - 1];
    }
    if ((enabled & 1) != 0) expected[0] = sum;
    if (!expected[kLevels - 1]) continue;  // nothing has come through yet
    const int64_t got =
        static_cast<int64_t>(uint64_t{top.sum_o} << (64 - kSumWidth)) >> (64 - kSumWidth);
    ++compared;
    ASSERT_EQ(got, expected[kLevels - 1])
        << fmt::format("seed {}, set {}; repeat: adder_tree_test --seed {}", seed, set, seed);
  }
  // Nothing moves while no level is enabled.
  const uint32_t held = top.sum_o;
  top.en_i = 0;
  for (int word = 0; word < kWords; ++word) top.value_i[word] = 0;
  for (int cycle = 0; cycle < 2 * kLevels; ++cycle) {
    simulation.settle();
    simulation.edge();
    ++compared;
    ASSERT_EQ(top.sum_o, held);
  }
  EXPECT_EQ(compared, kSets + 2 * kLevels);
  fmt::print("compared {} sums, seed {}\n", compared, seed);
}

}  // namespace
}  // namespace rivulet
