// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/tiered_attention.h"

#include <utility>

namespace rivulet {

TieredAttention::TieredAttention(TileDevice& device, AttentionInputs& inputs, KvStore& store,
                                 size_t layer, const AttentionFormat& format)
    : device_(device),
      inputs_(inputs),
      store_(store),
      layer_(layer),
      format_(format),
      heads_(inputs.config().kv_heads) {
  const ModelConfig& config = inputs.config();
  for (Head& head : heads_) {
    head.queries.resize(inputs.tokens() * config.heads_per_kv() * config.head_dim);
  }
}

bool TieredAttention::available(size_t kv_head, const Range& tokens) {
  const Range positions{0, inputs_.positions()};
  return inputs_.keys_ready(kv_head, positions) && inputs_.values_ready(kv_head, positions) &&
         inputs_.queries_ready(kv_head, tokens, heads_[kv_head].queries);
}

void TieredAttention::compute(size_t kv_head) {
  const size_t d = inputs_.config().head_dim;
  const size_t length = inputs_.positions();
  Head& head = heads_[kv_head];
  const size_t rows = inputs_.tokens() * inputs_.config().heads_per_kv();
  const auto stored_keys = inputs_.keys(kv_head);
  const auto stored_values = inputs_.values(kv_head);
  std::vector<Bf16> keys(stored_keys.begin(), stored_keys.end());
  std::vector<Bf16> values(stored_values.begin(), stored_values.end());
  store_.read_keys(layer_, kv_head, keys);
  GemmShape shape{
      .m = rows, .n = length, .k = d, .group = format_.group, .align_w = format_.align_w};
  GemmResult scores = device_.gemm_bf16(shape, head.queries, keys, Kind::kKv);
  const std::vector<Tier> tiers = store_.value_tiers(layer_, kv_head, scores.acc, length);
  store_.read_values(layer_, kv_head, tiers, values);
  std::vector<Bf16> probabilities(rows * length);
  for (size_t row = 0; row < rows; ++row) {
    softmax_scores(std::span(scores.acc).subspan(row * length, length), d,
                   std::span(probabilities).subspan(row * length, length));
  }
  std::swap(shape.n, shape.k);
  head.mixed = device_
                   .run({.shape = shape,
                         .x = probabilities,
                         .w = std::span<const Bf16>(values),
                         .read = {.kind = Kind::kKv},
                         .transpose = true})
                   .y;
}

bool TieredAttention::mixed(size_t kv_head, const Range& /*tokens*/) {
  return heads_[kv_head].rows.ready(
      {0, inputs_.tokens()}, [&](const Range& missing) { return available(kv_head, missing); },
      [&](const Range& /*missing*/) { compute(kv_head); });
}

std::span<const Bf16> TieredAttention::mixed_row(size_t kv_head, size_t token, size_t head) const {
  const size_t d = inputs_.config().head_dim;
  const size_t row = token * inputs_.config().heads_per_kv() + head;
  return std::span<const Bf16>(heads_[kv_head].mixed).subspan(row * d, d);
}

}  // namespace rivulet
