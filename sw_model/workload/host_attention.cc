// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/host_attention.h"

#include <algorithm>
#include <utility>

namespace rivulet {

HostAttention::HostAttention(TileDevice& device, AttentionInputs& inputs,
                             const AttentionFormat& format, KvStore* store)
    : device_(device),
      inputs_(inputs),
      format_(format),
      store_(store),
      heads_(inputs.config().kv_heads) {
  const ModelConfig& config = inputs.config();
  for (Head& head : heads_) {
    head.queries.resize(inputs.tokens() * config.heads_per_kv() * config.head_dim);
    head.mixed.resize(head.queries.size());
  }
}

bool HostAttention::available(size_t kv_head, const Range& tokens) {
  const Range positions{0, inputs_.positions()};
  return inputs_.keys_ready(kv_head, positions) && inputs_.values_ready(kv_head, positions) &&
         inputs_.queries_ready(kv_head, tokens, heads_[kv_head].queries);
}

void HostAttention::compute(size_t kv_head, const Range& tokens) {
  const size_t d = inputs_.config().head_dim;
  const size_t heads = inputs_.config().heads_per_kv();
  const size_t length = inputs_.positions();
  Head& head = heads_[kv_head];
  const size_t rows = tokens.count * heads;
  const auto queries =
      std::span<const Bf16>(head.queries).subspan(tokens.first * heads * d, rows * d);
  GemmShape shape{
      .m = rows, .n = length, .k = d, .group = format_.group, .align_w = format_.align_w};
  std::span<const Bf16> keys = inputs_.keys(kv_head);
  std::span<const Bf16> values = inputs_.values(kv_head);
  std::vector<Bf16> keys_read, values_read;
  if (store_ != nullptr) {
    keys_read.assign(keys.begin(), keys.end());
    store_->read_keys(inputs_.layer(), kv_head, keys_read);
    keys = keys_read;
  }
  GemmResult scores = device_.gemm_bf16(shape, queries, keys, Kind::kKv);
  if (store_ != nullptr) {
    values_read.assign(values.begin(), values.end());
    const std::vector<Tier> tiers =
        store_->value_tiers(inputs_.layer(), kv_head, scores.acc, length);
    store_->read_values(inputs_.layer(), kv_head, tiers, values_read);
    values = values_read;
  }
  std::vector<Bf16> probabilities(rows * length);
  for (size_t row = 0; row < rows; ++row) {
    softmax_scores(std::span(scores.acc).subspan(row * length, length), d,
                   std::span(probabilities).subspan(row * length, length));
  }
  std::swap(shape.n, shape.k);
  const GemmResult mixed = device_.run({.shape = shape,
                                        .x = probabilities,
                                        .w = values,
                                        .read = {.kind = Kind::kKv},
                                        .transpose = true});
  std::copy(mixed.y.begin(), mixed.y.end(),
            head.mixed.begin() + static_cast<std::ptrdiff_t>(tokens.first * heads * d));
}

bool HostAttention::mixed(size_t kv_head, const Range& tokens) {
  const Range wanted = store_ != nullptr ? Range{0, inputs_.tokens()} : tokens;
  return heads_[kv_head].rows.ready(
      wanted, [&](const Range& missing) { return available(kv_head, missing); },
      [&](const Range& missing) { compute(kv_head, missing); });
}

std::span<const Bf16> HostAttention::mixed_row(size_t kv_head, size_t token, size_t head) const {
  const size_t d = inputs_.config().head_dim;
  const size_t row = token * inputs_.config().heads_per_kv() + head;
  return std::span<const Bf16>(heads_[kv_head].mixed).subspan(row * d, d);
}

}  // namespace rivulet
