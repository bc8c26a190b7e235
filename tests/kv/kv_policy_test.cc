// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §14.3: budgets, tier maps, and the bits of the ledger.

#include "sw_model/kv/kv_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sw_model/kv/kv_ledger.h"
#include "tb/random.h"
#include "tests/numerics/compared.h"

namespace rivulet {
namespace {

TEST(KvPolicy, PublishedBudgetHasThePublishedCuts) {
  const KvCuts cuts = kv_cuts(KvPolicy::kLifecycle, 4.6861);
  const KvCuts expected{21185, 49419, 61764};
  Compared compared("kv cuts");
  for (size_t i = 0; i < 3; ++i) {
    compared.equal(expected[i], cuts[i], [&] { return fmt::format("cut {}", i); });
  }
  compared.done(3);
}

TEST(KvPolicy, BudgetsOutOfRangeAreRefused) {
  EXPECT_THROW(kv_cuts(KvPolicy::kLifecycle, 5.4), std::invalid_argument);
  EXPECT_THROW(kv_cuts(KvPolicy::kLifecycle, 2), std::invalid_argument);
  EXPECT_THROW(kv_cuts(KvPolicy::kFresh, 3.4), std::invalid_argument);
  EXPECT_THROW(kv_cuts(KvPolicy::kFresh, std::nan("")), std::invalid_argument);
}

// The rank of an entry, counted: how many stand before it.
TEST(KvPolicy, MapIsThatOfCountedRanks) {
  Random random(test_seed());
  const KvCuts cuts = kv_cuts(KvPolicy::kLifecycle, 4.6861);
  Compared compared("kv map", test_seed());
  uint64_t expected = 0;
  for (const size_t n : {1U, 2U, 31U, 128U, 368U, 512U}) {
    std::vector<float> scores(n);
    for (float& score : scores) {
      const auto draw = random.between(-4, 4);  // many ties
      score = draw == 4   ? std::numeric_limits<float>::quiet_NaN()
              : draw == 3 ? -std::numeric_limits<float>::infinity()
              : draw == 0 ? (random.chance(0.5) ? -0.0F : 0.0F)
                          : static_cast<float>(draw);
    }
    const std::vector<Tier> map = tier_map(scores, cuts);
    for (size_t i = 0; i < n; ++i) {
      size_t rank = 0;
      for (size_t j = 0; j < n; ++j) {
        const bool nan_i = std::isnan(scores[i]), nan_j = std::isnan(scores[j]);
        const bool tie = nan_i ? nan_j : scores[i] == scores[j];
        const bool above = nan_i ? !nan_j : scores[j] > scores[i];
        rank += above || (tie && j < i) ? 1 : 0;
      }
      int tier = 0;
      for (const uint32_t cut : cuts) tier += rank < (n * cut + 32768) / 65536 ? 1 : 0;
      compared.equal(tier, static_cast<int>(map[i]),
                     [&] { return fmt::format("entry {} of {}", i, n); });
    }
    expected += n;
  }
  compared.done(expected);
}

TEST(KvLedger, BitsAreThoseOfTheClosedForm) {
  KvLedger ledger;
  Compared compared("kv ledger");
  for (int i = 0; i < 1000; ++i) {
    ledger.add(ledger.keys, static_cast<size_t>(Tier::kQ4));
    const Tier tier = i < 40 ? Tier::kQ8 : i < 120 ? Tier::kQ4 : i < 300 ? Tier::kQ2 : Tier::kQ0;
    ledger.add(ledger.values, static_cast<size_t>(tier));
  }
  for (const size_t d : {64U, 128U}) {
    // Keys 4 bits, scale and two coefficients; values 1 bit, coefficients, 0.3 of a scale.
    const double lanes = static_cast<double>(d);
    const double form = (4 + 48 / lanes + 1 + (32 + 0.3 * 16) / lanes) / 2;
    compared.holds(std::abs(ledger.bits_per_element(d) - form) < 1e-9,
                   [&] { return fmt::format("{} for {}", ledger.bits_per_element(d), form); });
  }
  compared.done(2);
}

}  // namespace
}  // namespace rivulet
