// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Functional model of the ranking of KV entries by score: scores become a map of tiers, no clock.
//
// `scores` has one FP32 score an entry of the prefix, N = 0 .. 8192; the map has one tier an entry.
// `budget` is in mean bits of a residual element. Throws std::invalid_argument for a budget outside
// the family, fractions that fall or pass 65536, more entries than 8192, and scores that are no
// whole rows. Arithmetic: docs/numerics.md §13.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/numerics/view.h"

namespace rivulet {

constexpr size_t kMaxRankedEntries = 8192;
constexpr double kMinTierBudget = 2.1;
constexpr double kMaxTierBudget = 5.3;

constexpr uint32_t kAllEntries = 65536;  // as a fraction

// Cumulative fractions of the entries at q8, at q8 or q4, at q8, q4 or q2, in units of 2^-16.
using TierFractions = std::array<uint32_t, 3>;
constexpr TierFractions kDefaultTierFractions{21185, 49419, 61764};  // 4.6861 bits

struct TierMap {
  std::vector<Tier> tiers;  // by entry
  uint64_t nan_scores = 0;  // scores that are NaN; they rank last
};

// A share of the entries, 0 to 1, as a fraction.
uint32_t tier_fraction(double share);

// The fractions of a budget of the family.
TierFractions tier_fractions(double budget);

// The ranks at which the tier changes: q8 below the first, then q4, q2, and q0 from the third on.
std::array<size_t, 3> tier_cuts(size_t entries, const TierFractions& fractions);

TierMap rank_tiers(std::span<const float> scores, const TierFractions& fractions);

// Fresh scores of the first `entries` columns of `scores` [rows, length]: the largest over the
// rows; NaN only where every row has a NaN.
std::vector<float> fresh_scores(std::span<const float> scores, size_t length, size_t entries);

// The entries of one tier, in rising order.
std::vector<uint32_t> tier_list(std::span<const Tier> tiers, Tier tier);

}  // namespace rivulet
