// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/golden_model.h"

#include <stdexcept>
#include <utility>

namespace rivulet {

GoldenModel::GoldenModel(std::shared_ptr<const GoldenWeights> weights,
                         std::shared_ptr<TileDevice> linear, std::shared_ptr<TileDevice> attention,
                         int align_w)
    : weights_(std::move(weights)),
      devices_{std::move(linear), std::move(attention)},
      align_w_(align_w),
      rope_(config().head_dim, config().rope_theta, config().max_positions),
      cache_(config()) {}

void GoldenModel::set_kv(const KvOptions& options) {
  const ModelConfig& config = weights_->config;
  if (cache_.prefix_length() != 0) throw std::logic_error("GoldenModel: KV policy of a used model");
  if (devices_.linear == devices_.attention) {
    throw std::logic_error("GoldenModel: a KV policy needs a device for attention alone");
  }
  store_ = std::make_unique<KvStore>(KvShape{.layers = config.layers,
                                             .heads = config.kv_heads,
                                             .d = config.head_dim,
                                             .room = config.usable_positions()},
                                     rope_, options);
}

void GoldenModel::rewind(size_t length) {
  cache_.rewind(length);
  if (store_) store_->rewind(length);
}

void GoldenModel::commit() {
  const ModelConfig& config = weights_->config;
  const size_t first = cache_.prefix_length() * config.head_dim;
  for (size_t layer = 0; store_ && layer < config.layers; ++layer) {
    for (size_t head = 0; head < config.kv_heads; ++head) {
      store_->append_values(layer, head, cache_.values(layer, head).subspan(first));
    }
  }
  cache_.commit();
  if (store_) store_->commit(config.block_size);
}

std::vector<Prediction> GoldenModel::forward(std::span<const int> tokens, size_t begin,
                                             bool predict) {
  cache_.open(begin, tokens.size());
  if (store_) store_->open(begin, tokens.size(), predict);
  GoldenForward forward(*weights_, rope_, cache_, devices_, align_w_, tokens, begin, store_.get());
  if (predict) return forward.predict();
  forward.fill_cache();
  return {};
}

}  // namespace rivulet
