// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §14.3: budgets, and the bits of the ledger.

#include "sw_model/kv/kv_policy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "sw_model/kv/kv_ledger.h"
#include "tests/numerics/compared.h"

namespace rivulet {
namespace {

TEST(KvPolicy, CutsOfABudget) {
  EXPECT_EQ(kv_cuts(KvPolicy::kLifecycle, 4.6861), kDefaultTierFractions);
  EXPECT_EQ(kv_cuts(KvPolicy::kFresh, 1), (TierFractions{2621, 7864, 19661}));
  EXPECT_EQ(kv_cuts(KvPolicy::kFresh, 3.3), (TierFractions{8651, 25952, 64881}));
  EXPECT_EQ(kv_cuts(KvPolicy::kTopK, 1), (TierFractions{8192, 8192, 8192}));
}

TEST(KvPolicy, BudgetsOutOfRangeAreRefused) {
  EXPECT_THROW(kv_cuts(KvPolicy::kLifecycle, 5.4), std::invalid_argument);
  EXPECT_THROW(kv_cuts(KvPolicy::kLifecycle, 2), std::invalid_argument);
  EXPECT_THROW(kv_cuts(KvPolicy::kFresh, 3.4), std::invalid_argument);
  EXPECT_THROW(kv_cuts(KvPolicy::kFresh, std::nan("")), std::invalid_argument);
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
