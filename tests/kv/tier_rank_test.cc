// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The ranking of KV entries against ranks that are counted from an integer image of each score,
// the boundaries of the budget family, the fresh scores and the lists by tier.

#include "sw_model/kv/tier_rank.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "sw_model/numerics/fp32.h"
#include "tb/random.h"
#include "tests/numerics/compared.h"

namespace rivulet {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The image of docs/numerics.md §13: larger is better, NaN is 0.
uint32_t image(float score) {
  const uint32_t bits = fp32_bits(score);
  if ((bits << 1) > 0xFF000000U) return 0;
  if ((bits & 0x7F800000) == 0) return 0x80000000;
  return (bits >> 31) != 0 ? ~bits : bits | 0x80000000;
}

// 3 for q8 .. 0 for q0, from the number of entries that stand before each.
std::vector<int> counted_tiers(const std::vector<float>& scores, const TierFractions& fractions) {
  std::vector<int> codes(scores.size(), 3);
  for (size_t i = 0; i < scores.size(); ++i) {
    uint64_t rank = 0;
    for (size_t j = 0; j < scores.size(); ++j) {
      const uint32_t a = image(scores[j]);
      const uint32_t b = image(scores[i]);
      rank += static_cast<uint64_t>(a > b || (a == b && j < i));
    }
    for (const uint64_t c : fractions) {
      if (rank >= (scores.size() * c + 32768) / 65536) --codes[i];
    }
  }
  return codes;
}

void compare(const std::vector<float>& scores, const TierFractions& fractions, Compared& compared) {
  const std::vector<int> expected = counted_tiers(scores, fractions);
  const TierMap map = rank_tiers(scores, fractions);
  ASSERT_EQ(map.tiers.size(), scores.size());
  for (size_t i = 0; i < scores.size(); ++i) {
    compared.equal(expected[i], static_cast<int>(map.tiers[i]),
                   [&] { return fmt::format("entry {} of {}", i, scores.size()); });
  }
}

// Few values, so that every cut falls among equal scores; else any pattern of 32 bits.
float draw(Random& random, bool ties) {
  constexpr std::array kFew{0.0F,  -0.0F,     1e-40F,     -1e-40F, 1.5F,
                            -1.5F, kInfinity, -kInfinity, kNan,    -kNan};
  return ties ? kFew.at(random.below(kFew.size()))
              : fp32_from_bits(static_cast<uint32_t>(random.next()));
}

TEST(TierRankTest, CountsOfEveryTier) {
  using Counts = std::array<size_t, 4>;
  const auto counts = [](size_t n) {
    const auto cuts = tier_cuts(n, kDefaultTierFractions);
    return Counts{cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], n - cuts[2]};
  };
  EXPECT_EQ(counts(0), (Counts{0, 0, 0, 0}));
  EXPECT_EQ(counts(1), (Counts{0, 1, 0, 0}));
  EXPECT_EQ(counts(32), (Counts{10, 14, 6, 2}));
  EXPECT_EQ(counts(128), (Counts{41, 56, 24, 7}));
  EXPECT_EQ(counts(256), (Counts{83, 110, 48, 15}));
  EXPECT_EQ(counts(512), (Counts{166, 220, 97, 29}));
  EXPECT_EQ(counts(1024), (Counts{331, 441, 193, 59}));
}

TEST(TierRankTest, Budgets) {
  EXPECT_EQ(tier_fractions(4.6861), kDefaultTierFractions);
  EXPECT_EQ(tier_fractions(2.1), (TierFractions{0, 22938, 45875}));
  EXPECT_EQ(tier_fractions(5.3), (TierFractions{26214, 55706, 65536}));
  for (const double budget : {2.0999, 5.3001, static_cast<double>(kNan)}) {
    EXPECT_THROW(tier_fractions(budget), std::invalid_argument) << budget;
  }
  EXPECT_THROW(tier_cuts(8, {2, 1, 3}), std::invalid_argument);
  EXPECT_THROW(tier_cuts(8, {1, 2, 65537}), std::invalid_argument);
  EXPECT_THROW(tier_cuts(8193, kDefaultTierFractions), std::invalid_argument);
}

TEST(TierRankTest, RandomScores) {
  Random random(test_seed());
  Compared compared("tiers of random scores", test_seed());
  uint64_t expected = 0;
  for (size_t n = 0; n <= 300; ++n) {
    for (const bool ties : {false, true}) {
      std::vector<float> scores(n);
      for (float& score : scores) score = draw(random, ties);
      compare(scores, tier_fractions(2.1 + 3.2 * random.unit()), compared);
      expected += n;
    }
  }
  compared.done(expected);
}

TEST(TierRankTest, AllEqual) {
  Compared compared("tiers of equal scores");
  for (const float value : {0.0F, -0.0F, kNan, -kInfinity, 3.0F}) {
    compare(std::vector<float>(1021, value), kDefaultTierFractions, compared);
  }
  compared.done(5 * 1021);
}

TEST(TierRankTest, FlagsNan) {
  EXPECT_EQ(rank_tiers(std::vector{1.0F, kNan, kInfinity, -kNan}, kDefaultTierFractions).nan_scores,
            2U);
  EXPECT_EQ(rank_tiers(std::vector{1.0F, kInfinity}, kDefaultTierFractions).nan_scores, 0U);
}

TEST(TierRankTest, FreshScores) {
  // Two rows of five, the last one no entry; a NaN in the first row, in the second and in both.
  const std::vector<float> rows{1.0F, kNan,       -2.0F, kNan, 9.0F,  //
                                2.0F, -kInfinity, kNan,  kNan, 9.0F};
  const std::vector<float> scores = fresh_scores(rows, 5, 4);
  ASSERT_EQ(scores.size(), 4U);
  EXPECT_EQ(scores[0], 2.0F);
  EXPECT_EQ(scores[1], -kInfinity);
  EXPECT_EQ(scores[2], -2.0F);
  EXPECT_EQ(fp32_bits(scores[3]), kFp32CanonicalNanBits);
  const std::vector<float> special{-1e-40F, -kNan};
  EXPECT_EQ(fp32_bits(fresh_scores(special, 2, 2)[0]), 0x80000000U);
  EXPECT_EQ(fp32_bits(fresh_scores(special, 2, 2)[1]), kFp32CanonicalNanBits);
  EXPECT_THROW(fresh_scores(rows, 4, 4), std::invalid_argument);
  EXPECT_THROW(fresh_scores(rows, 5, 6), std::invalid_argument);
}

TEST(TierRankTest, ListsRise) {
  const std::vector tiers{Tier::kQ4, Tier::kQ8, Tier::kQ4, Tier::kQ0};
  EXPECT_EQ(tier_list(tiers, Tier::kQ8), std::vector<uint32_t>{1});
  EXPECT_EQ(tier_list(tiers, Tier::kQ4), (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(tier_list(tiers, Tier::kQ2), std::vector<uint32_t>{});
  EXPECT_EQ(tier_list(tiers, Tier::kQ0), std::vector<uint32_t>{3});
}

}  // namespace
}  // namespace rivulet
