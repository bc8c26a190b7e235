// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Which KV entries a forward reads at which width: names and budgets.
//
// Budgets outside a policy's range throw std::invalid_argument. Arithmetic: docs/numerics.md §14.3.

#include <cstdint>
#include <string>
#include <vector>

#include "sw_model/kv/tier_rank.h"

namespace rivulet {

enum class KvPolicy : uint8_t {
  kQ8,         // all keys and values at q8
  kQ4,         // at q4
  kQ2,         // at q2
  kFresh,      // keys q4, values ranked by the logits of the same forward
  kBefore,     // keys q4, values by the map of the forward before, q8 in the first one of a block
  kRandom,     // keys q4, values at the widths of kFresh, entries drawn at random
  kTopK,       // keys q4, the highest-ranked values at q8, no attention to the others
  kLifecycle,  // keys and values by a map that is built once a span (EXACT_SPAN)
};

const std::vector<std::string>& kv_policy_names();
KvPolicy kv_policy(const std::string& name);
// Whether it has a budget, and the one used if none is given: mean residual bits of what it ranks.
bool has_budget(KvPolicy policy);
double default_budget(KvPolicy policy);

// Of the values that are ranked (tier_rank.h).
TierFractions kv_cuts(KvPolicy policy, double bits);

}  // namespace rivulet
