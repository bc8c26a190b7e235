// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/attention_inputs.h"

#include "sw_model/numerics/vector_functions.h"

namespace rivulet {

AttentionInputs::AttentionInputs(const ModelConfig& config, const Rope& rope, KvCache<Bf16>& cache,
                                 size_t layer, size_t position, const Stage& projections,
                                 std::span<const Bf16> bias, KvStore* store)
    : config_(config),
      rope_(rope),
      cache_(cache),
      layer_(layer),
      position_(position),
      projections_(projections),
      bias_(bias),
      store_(store),
      heads_(config.kv_heads) {}

// Whether some of these positions are those of this forward.
bool AttentionInputs::enters(const Range& positions) const {
  return positions.first < position_ + tokens() && positions.end() > position_;
}

void AttentionInputs::biased(size_t token, size_t column, std::span<Bf16> to) const {
  const auto acc = projections_.acc(token).subspan(column, to.size());
  for (size_t i = 0; i < to.size(); ++i) to[i] = add_bias(acc[i], bias_[column + i]);
}

bool AttentionInputs::keys_ready(size_t kv_head, const Range& positions) {
  if (!enters(positions)) return true;
  const Range columns{kv_head * config_.head_dim, config_.head_dim};
  return heads_[kv_head].keys.ready(
      {0, tokens()}, [&](const Range& rows) { return projections_.arrived(rows, columns); },
      [&](const Range& rows) {
        for (size_t row = rows.first; row < rows.end(); ++row) {
          const auto key = cache_.key(layer_, kv_head, position_ + row);
          biased(row, columns.first, key);
          if (store_ != nullptr) store_->set_key(layer_, kv_head, position_ + row, key);
          rope_.rotate(key, position_ + row);
        }
      });
}

bool AttentionInputs::values_ready(size_t kv_head, const Range& positions) {
  if (!enters(positions)) return true;
  const Range columns{config_.kv_size() + kv_head * config_.head_dim, config_.head_dim};
  return heads_[kv_head].values.ready(
      {0, tokens()}, [&](const Range& rows) { return projections_.arrived(rows, columns); },
      [&](const Range& rows) {
        for (size_t row = rows.first; row < rows.end(); ++row) {
          biased(row, columns.first, cache_.value(layer_, kv_head, position_ + row));
        }
      });
}

bool AttentionInputs::queries_ready(size_t kv_head, const Range& tokens, std::span<Bf16> queries) {
  const size_t d = config_.head_dim;
  const size_t heads = config_.heads_per_kv();
  const Range columns{2 * config_.kv_size() + kv_head * heads * d, heads * d};
  return heads_[kv_head].queries.ready(
      tokens, [&](const Range& rows) { return projections_.arrived(rows, columns); },
      [&](const Range& rows) {
        for (size_t row = rows.first; row < rows.end(); ++row) {
          for (size_t head = 0; head < heads; ++head) {
            const auto query = queries.subspan((row * heads + head) * d, d);
            biased(row, columns.first + head * d, query);
            rope_.rotate(query, position_ + row);
          }
        }
      });
}

}  // namespace rivulet
