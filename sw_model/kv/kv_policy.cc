// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/kv/kv_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace rivulet {

namespace {

constexpr double kPublishedBits = 4.6861;
// Shares of q8, q4 and q2 for one bit a residual element of ranked values.
constexpr std::array<double, 3> kShares{0.04, 0.08, 0.18};

void check_bits(double bits, double low, double high) {
  if (!(bits >= low && bits <= high)) {
    throw std::invalid_argument(
        fmt::format("KV budget {} bits: this policy takes {} to {}", bits, low, high));
  }
}

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

TierFractions kv_cuts(KvPolicy policy, double bits) {
  if (policy == KvPolicy::kTopK) {
    check_bits(bits, 0, 8);
    const uint32_t kept = tier_fraction(bits / 8);
    return {kept, kept, kept};
  }
  if (policy == KvPolicy::kLifecycle) return tier_fractions(bits);
  check_bits(bits, 0, 3.3);
  const double q8 = bits * kShares[0];
  const double q4 = q8 + bits * kShares[1];
  return {tier_fraction(q8), tier_fraction(q4), tier_fraction(q4 + bits * kShares[2])};
}

}  // namespace rivulet
