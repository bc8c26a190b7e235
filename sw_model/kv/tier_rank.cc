// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/kv/tier_rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "sw_model/numerics/fp32.h"

namespace rivulet {
namespace {

// Whether score `a` stands before score `b`. Zeros of both signs compare equal, NaN is last.
bool before(float a, float b) {
  if (fp32_is_nan(a) || fp32_is_nan(b)) return !fp32_is_nan(a) && fp32_is_nan(b);
  return fp32_read(a) > fp32_read(b);
}

void check_entries(size_t entries) {
  if (entries <= kMaxRankedEntries) return;
  throw std::invalid_argument(
      fmt::format("ranking takes at most {} entries, not {}; rank a shorter prefix",
                  kMaxRankedEntries, entries));
}

void check_fractions(const TierFractions& fractions) {
  if (std::is_sorted(fractions.begin(), fractions.end()) && fractions.back() <= kAllEntries) return;
  throw std::invalid_argument(
      fmt::format("cuts {}, {}, {}: give three that do not fall, each at most 65536 (all entries)",
                  fractions[0], fractions[1], fractions[2]));
}

}  // namespace

uint32_t tier_fraction(double share) {
  return static_cast<uint32_t>(std::floor(share * kAllEntries + 0.5));
}

TierFractions tier_fractions(double budget) {
  if (!(budget >= kMinTierBudget && budget <= kMaxTierBudget)) {
    throw std::invalid_argument(
        fmt::format("a budget of {} bits is outside the family: give {} to {} bits", budget,
                    kMinTierBudget, kMaxTierBudget));
  }
  const double delta = (budget - 3.7) / 1.6;
  return {tier_fraction(0.2 + 0.2 * delta), tier_fraction(0.6 + 0.25 * delta),
          tier_fraction(0.85 + 0.15 * delta)};
}

std::array<size_t, 3> tier_cuts(size_t entries, const TierFractions& fractions) {
  check_entries(entries);
  check_fractions(fractions);
  std::array<size_t, 3> cuts{};
  for (size_t j = 0; j < cuts.size(); ++j) cuts[j] = (entries * fractions[j] + 32768) >> 16;
  return cuts;
}

TierMap rank_tiers(std::span<const float> scores, const TierFractions& fractions) {
  const std::array<size_t, 3> cuts = tier_cuts(scores.size(), fractions);
  std::vector<uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return before(scores[a], scores[b]); });

  constexpr std::array kByCut{Tier::kQ8, Tier::kQ4, Tier::kQ2, Tier::kQ0};
  TierMap map{.tiers = std::vector<Tier>(scores.size())};
  for (size_t rank = 0; rank < order.size(); ++rank) {
    const auto passed =
        std::count_if(cuts.begin(), cuts.end(), [&](size_t cut) { return rank >= cut; });
    map.tiers[order[rank]] = kByCut[static_cast<size_t>(passed)];
  }
  map.nan_scores = static_cast<uint64_t>(std::count_if(scores.begin(), scores.end(), fp32_is_nan));
  return map;
}

std::vector<float> fresh_scores(std::span<const float> scores, size_t length, size_t entries) {
  check_entries(entries);
  if (entries > length || scores.empty() || scores.size() % length != 0) {
    throw std::invalid_argument(
        fmt::format("{} scores of {} entries in rows of {}: give whole rows, at least one",
                    scores.size(), entries, length));
  }
  std::vector<float> largest(entries, kFp32CanonicalNan);
  for (size_t row = 0; row < scores.size(); row += length) {
    for (size_t i = 0; i < entries; ++i) {
      if (before(scores[row + i], largest[i])) largest[i] = scores[row + i];
    }
  }
  for (float& score : largest) score = fp32_is_nan(score) ? kFp32CanonicalNan : fp32_read(score);
  return largest;
}

std::vector<uint32_t> tier_list(std::span<const Tier> tiers, Tier tier) {
  std::vector<uint32_t> entries;
  for (size_t i = 0; i < tiers.size(); ++i) {
    if (tiers[i] == tier) entries.push_back(static_cast<uint32_t>(i));
  }
  return entries;
}

}  // namespace rivulet
