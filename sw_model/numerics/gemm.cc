// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/numerics/gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sw_model/numerics/fp32.h"

namespace rivulet {
namespace {

void check_size(const char* name, size_t size, size_t expected) {
  if (size != expected) {
    throw std::invalid_argument(
        fmt::format("gemm: {} has {} values, the shape needs {}", name, size, expected));
  }
}

// Runs `step(acc, m, n, g, counts)` over the groups of every output and rounds the results.
template <typename Step>
GemmResult accumulate_outputs(const GemmShape& shape, const Step& step) {
  GemmResult result{.acc = {}, .y = {}, .counts = {}};
  result.acc.reserve(shape.m * shape.n);
  result.y.reserve(shape.m * shape.n);
  for (size_t m = 0; m < shape.m; ++m) {
    for (size_t n = 0; n < shape.n; ++n) {
      float acc = 0;
      for (size_t g = 0; g < shape.groups(); ++g) acc = step(acc, m, n, g, result.counts);
      result.acc.push_back(acc);
      result.y.push_back(bf16_from_float(acc));
    }
  }
  return result;
}

}  // namespace

int64_t group_partial(const int16_t* aligned, const int8_t* codes, size_t lanes) {
  constexpr size_t kChunk = 256;  // 256 * 2^15 * 2^7 = 2^30 fits an int
  int64_t total = 0;
  for (size_t first = 0; first < lanes; first += kChunk) {
    const size_t last = std::min(first + kChunk, lanes);
    int32_t sum = 0;
    for (size_t i = first; i < last; ++i) sum += int32_t{aligned[i]} * codes[i];
    total += sum;
  }
  return total;
}

int64_t group_partial(const int16_t* aligned, const int16_t* stream, size_t lanes) {
  int64_t total = 0;
  for (size_t i = 0; i < lanes; ++i) total += int32_t{aligned[i]} * stream[i];
  return total;
}

GemmResult gemm(const GemmShape& shape, std::span<const Bf16> x, std::span<const int8_t> codes,
                std::span<const Bf16> scale) {
  const AlignedMatrix lanes = align_matrix(x, shape.m, shape.k, shape.group, shape.align_w);
  check_size("codes", codes.size(), shape.n * shape.k);
  check_size("scale", scale.size(), shape.n * shape.groups());
  return accumulate_outputs(
      shape, [&](float acc, size_t m, size_t n, size_t g, AccumulateCounts& counts) {
        const int64_t partial =
            group_partial(lanes.group_values(m, g), codes.data() + n * shape.k + g * shape.group,
                          lanes.group_size(g));
        return accumulate(acc, partial, scale[n * shape.groups() + g], lanes.exponent(m, g),
                          shape.align_w, counts);
      });
}

GemmResult gemm_bf16(const GemmShape& shape, std::span<const Bf16> x, std::span<const Bf16> w) {
  const AlignedMatrix lanes = align_matrix(x, shape.m, shape.k, shape.group, shape.align_w);
  const AlignedMatrix stream = align_matrix(w, shape.n, shape.k, shape.group, shape.align_w);
  return accumulate_outputs(
      shape, [&](float acc, size_t m, size_t n, size_t g, AccumulateCounts& counts) {
        const int64_t partial =
            group_partial(lanes.group_values(m, g), stream.group_values(n, g), lanes.group_size(g));
        return accumulate_aligned(acc, partial, lanes.exponent(m, g), stream.exponent(n, g),
                                  shape.align_w, counts);
      });
}

}  // namespace rivulet
