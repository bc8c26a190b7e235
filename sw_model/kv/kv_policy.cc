// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/kv/kv_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace rivulet {

namespace {

constexpr double kUnit = 65536;
constexpr double kPublishedBits = 4.6861;
// Shares of q8, q4 and q2 for one bit a residual element of ranked values.
constexpr std::array<double, 3> kShares{0.04, 0.08, 0.18};

void check_bits(double bits, double low, double high) {
  if (!(bits >= low && bits <= high)) {
    throw std::invalid_argument(
        fmt::format("KV budget {} bits: this policy takes {} to {}", bits, low, high));
  }
}

uint32_t cut(double share) { return static_cast<uint32_t>(std::floor(share * kUnit + 0.5)); }

}  // namespace

const std::vector<std::string>& kv_policy_names() {
  static const std::vector<std::string> names{"q8",     "q4",     "q2",    "fresh",
                                              "before", "random", "top-k", "lifecycle"};
  return names;
}

KvPolicy kv_policy(const std::string& name) {
  const auto& names = kv_policy_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw std::invalid_argument(fmt::format("unknown KV policy '{}'", name));
  }
  return static_cast<KvPolicy>(found - names.begin());
}

bool has_budget(KvPolicy policy) { return policy >= KvPolicy::kFresh; }

double default_budget(KvPolicy policy) {
  return policy == KvPolicy::kLifecycle ? kPublishedBits : 1;
}

KvCuts kv_cuts(KvPolicy policy, double bits) {
  if (policy == KvPolicy::kTopK) {
    check_bits(bits, 0, 8);
    const uint32_t kept = cut(bits / 8);
    return {kept, kept, kept};
  }
  if (policy == KvPolicy::kLifecycle) {
    check_bits(bits, 2.1, 5.3);
    const double delta = (bits - 3.7) / 1.6;
    const double q8 = 0.2 + 0.2 * delta;
    const double q4 = q8 + 0.4 + 0.05 * delta;
    return {cut(q8), cut(q4), cut(q4 + 0.25 - 0.1 * delta)};
  }
  check_bits(bits, 0, 3.3);
  const double q8 = bits * kShares[0];
  const double q4 = q8 + bits * kShares[1];
  return {cut(q8), cut(q4), cut(q4 + bits * kShares[2])};
}

std::vector<Tier> tier_map(std::span<const float> scores, const KvCuts& cuts) {
  const auto key = [&](size_t i) {
    return std::isnan(scores[i]) ? -std::numeric_limits<float>::infinity() : scores[i];
  };
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::isnan(scores[a]) == std::isnan(scores[b]) ? key(a) > key(b) : std::isnan(scores[b]);
  });
  constexpr std::array<Tier, 3> kTiers{Tier::kQ8, Tier::kQ4, Tier::kQ2};
  std::vector<Tier> map(scores.size(), Tier::kQ0);
  size_t rank = 0;
  for (size_t j = 0; j < cuts.size(); ++j) {
    const size_t end = (scores.size() * cuts[j] + 32768) >> 16;
    for (; rank < end && rank < order.size(); ++rank) map[order[rank]] = kTiers[j];
  }
  return map;
}

}  // namespace rivulet
