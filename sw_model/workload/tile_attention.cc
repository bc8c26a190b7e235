// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/tile_attention.h"

#include <algorithm>
#include <utility>

namespace rivulet {

TileAttention::TileAttention(TileDevice& device, AttentionInputs& inputs,
                             const AttentionFormat& format)
    : inputs_(inputs), heads_per_kv_(inputs.config().heads_per_kv()) {
  const size_t d = inputs.config().head_dim;
  GemmShape shape{.m = inputs.tokens() * heads_per_kv_,
                  .n = inputs.positions(),
                  .k = d,
                  .group = format.group,
                  .align_w = format.align_w};
  GemmShape mixed_shape = shape;
  std::swap(mixed_shape.n, mixed_shape.k);
  for (size_t kv_head = 0; kv_head < inputs.config().kv_heads; ++kv_head) {
    heads_.push_back(
        std::make_unique<Head>(Head{Stage(device, shape), Stage(device, mixed_shape), Prepared()}));
  }
}

// The scores of all heads first: softmax of one head is hidden behind the scores of the next.
void TileAttention::submit() {
  for (size_t kv_head = 0; kv_head < heads_.size(); ++kv_head) submit_scores(kv_head);
  for (size_t kv_head = 0; kv_head < heads_.size(); ++kv_head) submit_mixed(kv_head);
}

void TileAttention::submit_scores(size_t kv_head) {
  Stage& scores = heads_[kv_head]->scores;
  scores.submit(
      {.shape = {}, .x = {}, .w = inputs_.keys(kv_head), .read = {.kind = Kind::kKv}},
      [this, kv_head, &scores](const Range& rows, size_t /*group*/) {
        const size_t first = rows.first / heads_per_kv_;
        const size_t end = (rows.end() + heads_per_kv_ - 1) / heads_per_kv_;
        return inputs_.queries_ready(kv_head, {first, end - first}, scores.x());
      },
      [this, kv_head](const Range& columns, size_t /*group*/) {
        return inputs_.keys_ready(kv_head, columns);
      });
}

void TileAttention::submit_mixed(size_t kv_head) {
  Head& head = *heads_[kv_head];
  const size_t group = head.mixed.shape().group;
  head.mixed.submit(
      {.shape = {},
       .x = {},
       .w = inputs_.values(kv_head),
       .read = {.kind = Kind::kKv},
       .transpose = true},
      [this, &head](const Range& rows, size_t /*group*/) {
        return head.probabilities.ready(
            rows, [&](const Range& missing) { return head.scores.arrived(missing); },
            [&](const Range& missing) {
              for (size_t row = missing.first; row < missing.end(); ++row) {
                softmax_scores(head.scores.acc(row), inputs_.config().head_dim, head.mixed.x(row));
              }
            });
      },
      [this, kv_head, group](const Range& /*columns*/, size_t lanes) {
        return inputs_.values_ready(
            kv_head, {lanes * group, std::min(group, inputs_.positions() - lanes * group)});
      });
}

bool TileAttention::mixed(size_t kv_head, const Range& tokens) {
  return heads_[kv_head]->mixed.arrived(
      {tokens.first * heads_per_kv_, tokens.count * heads_per_kv_});
}

std::span<const Bf16> TileAttention::mixed_row(size_t kv_head, size_t token, size_t head) const {
  return heads_[kv_head]->mixed.y(token * heads_per_kv_ + head);
}

}  // namespace rivulet
