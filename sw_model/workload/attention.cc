// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/attention.h"

#include <vector>

#include "sw_model/numerics/vector_functions.h"

namespace rivulet {

void softmax_scores(std::span<const float> scores, size_t head_dim, std::span<Bf16> to) {
  std::vector<float> scaled(scores.begin(), scores.end());
  for (float& score : scaled) score = scale_score(score, static_cast<int>(head_dim));
  softmax(scaled, to);
}

}  // namespace rivulet
