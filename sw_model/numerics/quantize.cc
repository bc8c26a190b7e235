// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/numerics/quantize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sw_model/numerics/fp32.h"

namespace rivulet {
namespace {

constexpr int kCodeMax = 127;

// Round half to even, without relying on the rounding mode of the host.
double round_half_even(double value) {
  const double below = std::floor(value);
  const double rest = value - below;  // exact: |value| is small
  const bool odd = std::fmod(below, 2.0) != 0.0;
  return below + ((rest > 0.5 || (rest == 0.5 && odd)) ? 1.0 : 0.0);
}

}  // namespace

Bf16 quantize_group(std::span<const float> weights, std::span<int8_t> codes) {
  if (codes.size() != weights.size()) {
    throw std::invalid_argument(
        fmt::format("quantize: {} weights, but room for {} codes", weights.size(), codes.size()));
  }
  double largest = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i])) {
      throw std::invalid_argument(
          fmt::format("quantize: weight {} is {}, must be finite", i, weights[i]));
    }
    largest = std::max(largest, std::fabs(static_cast<double>(fp32_read(weights[i]))));
  }
  // A binary64 quotient of two such values lies on a tie only if the exact one does.
  const Bf16 scale = bf16_from_double(largest / kCodeMax);
  if (scale.reads_as_zero()) {
    std::fill(codes.begin(), codes.end(), int8_t{0});
    return scale;
  }
  const double step = to_float(scale);
  for (size_t i = 0; i < weights.size(); ++i) {
    const double code = round_half_even(static_cast<double>(fp32_read(weights[i])) / step);
    codes[i] = static_cast<int8_t>(std::clamp<double>(code, -kCodeMax, kCodeMax));
  }
  return scale;
}

QuantizedMatrix quantize_matrix(std::span<const float> weights, size_t rows, size_t lanes,
                                size_t group) {
  if (group == 0) throw std::invalid_argument("quantize: group is 0, must be at least 1");
  if (weights.size() != rows * lanes) {
    throw std::invalid_argument(
        fmt::format("quantize: {} weights do not fill [{}, {}]", weights.size(), rows, lanes));
  }
  QuantizedMatrix result{.rows = rows,
                         .lanes = lanes,
                         .group = group,
                         .groups = (lanes + group - 1) / group,
                         .codes = std::vector<int8_t>(rows * lanes),
                         .scales = {}};
  result.scales.reserve(rows * result.groups);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t first = 0; first < lanes; first += group) {
      const size_t size = std::min(group, lanes - first);
      const size_t offset = row * lanes + first;
      result.scales.push_back(quantize_group(weights.subspan(offset, size),
                                             std::span(result.codes).subspan(offset, size)));
    }
  }
  return result;
}

}  // namespace rivulet
