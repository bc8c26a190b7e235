// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/golden_model.h"

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

std::vector<Prediction> GoldenModel::forward(std::span<const int> tokens, size_t begin,
                                             bool predict) {
  cache_.open(begin, tokens.size());
  GoldenForward forward(*weights_, rope_, cache_, devices_, align_w_, tokens, begin);
  if (predict) return forward.predict();
  forward.fill_cache();
  return {};
}

}  // namespace rivulet
