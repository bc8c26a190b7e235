// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/numerics/rope.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "sw_model/numerics/fp32.h"
#include "sw_model/numerics/transcendental.h"

namespace rivulet {

Rope::Rope(size_t head_dim, double theta, size_t positions)
    : pairs_(head_dim / 2), positions_(positions) {
  constexpr size_t kMaxPositions = size_t{1} << 20;
  if (head_dim == 0 || head_dim % 2 != 0) {
    throw std::invalid_argument(
        fmt::format("rope: head_dim is {}, must be even and at least 2", head_dim));
  }
  if (!(std::isfinite(theta) && theta >= 1)) {
    throw std::invalid_argument(fmt::format("rope: theta is {}, must be finite and >= 1", theta));
  }
  if (positions > kMaxPositions) {
    throw std::invalid_argument(
        fmt::format("rope: {} positions, must be at most {}", positions, kMaxPositions));
  }
  cos_.resize(positions * pairs_);
  sin_.resize(positions * pairs_);
  const double log_theta = log_f64(theta);
  for (size_t pair = 0; pair < pairs_; ++pair) {
    const double power = static_cast<double>(2 * pair) / static_cast<double>(head_dim);
    const double frequency = exp_f64(-(power * log_theta));
    for (size_t position = 0; position < positions; ++position) {
      const SinCos value = sin_cos_f64(static_cast<double>(position) * frequency);
      cos_[position * pairs_ + pair] = fp32_from_double(value.cos);
      sin_[position * pairs_ + pair] = fp32_from_double(value.sin);
    }
  }
}

void Rope::rotate(std::span<Bf16> head, size_t position) const {
  if (head.size() != head_dim()) {
    throw std::invalid_argument(
        fmt::format("rope: vector of {} elements, head_dim is {}", head.size(), head_dim()));
  }
  if (position >= positions_) {
    throw std::invalid_argument(
        fmt::format("rope: position {}, the table holds {}", position, positions_));
  }
  for (size_t pair = 0; pair < pairs_; ++pair) {
    const float c = cos(position, pair);
    const float s = sin(position, pair);
    const float low = to_float(head[pair]);
    const float high = to_float(head[pair + pairs_]);
    head[pair] = bf16_from_float(fp32_add(fp32_mul(low, c), -fp32_mul(high, s)));
    head[pair + pairs_] = bf16_from_float(fp32_add(fp32_mul(high, c), fp32_mul(low, s)));
  }
}

}  // namespace rivulet
