// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Attention of one layer in one forward, KV head by KV head: scores, softmax, mixed values.
//
// The rows of a KV head are the queries of all its query heads, token after token. All
// implementations give the same bits. Arithmetic: docs/numerics.md §8 and §12.

#include <cstddef>
#include <span>

#include "sw_model/common/range.h"
#include "sw_model/numerics/bf16.h"

namespace rivulet {

class Attention {
 public:
  virtual ~Attention() = default;
  // Once, when the projections were submitted.
  virtual void submit() = 0;
  // Whether the mixed values of these tokens are there.
  virtual bool mixed(size_t kv_head, const Range& tokens) = 0;
  // Mixed values of one query head of a KV head, [head_dim].
  virtual std::span<const Bf16> mixed_row(size_t kv_head, size_t token, size_t head) const = 0;
};

// Of its products.
struct AttentionFormat {
  size_t group = 0;
  int align_w = 0;
};

// Probabilities of one row of scores.
void softmax_scores(std::span<const float> scores, size_t head_dim, std::span<Bf16> to);

}  // namespace rivulet
