// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/fast_gemm.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace rivulet {

namespace {

// 2^15 * 2^8 * 128 = 2^30: the sums of one chunk fit 32 bits.
constexpr size_t kChunk = 128;

int32_t dot(const int16_t* a, const int16_t* b, size_t size) {
  int32_t sum = 0;
  for (size_t i = 0; i < size; ++i) sum += int32_t{a[i]} * b[i];
  return sum;
}

int64_t long_dot(const int16_t* a, const int16_t* b, size_t size) {
  int64_t sum = 0;
  for (size_t i = 0; i < size; i += kChunk) sum += dot(a + i, b + i, std::min(kChunk, size - i));
  return sum;
}

// The value of a binary64 sum with known rounding error, rounded to odd instead.
double round_to_odd(double sum, double error) {
  const auto bits = std::bit_cast<uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  const bool outwards = (error > 0) == (sum > 0);
  return std::bit_cast<double>(outwards ? bits + 1 : bits - 1);
}

// RN_f32(acc + addend) for sums well inside the FP32 range; false for all others.
bool add_in_range(float& acc, double addend) {
  constexpr double kLeast = 0x1p-125;
  constexpr double kMost = 0x1p127;
  const double a = acc;
  const double sum = a + addend;
  const double magnitude = std::abs(sum);
  if (!(magnitude >= kLeast && magnitude < kMost)) return false;
  const double addend_seen = sum - a;
  const double error = (a - (sum - addend_seen)) + (addend - addend_seen);
  acc = static_cast<float>(round_to_odd(sum, error));
  return true;
}

// 2^(exponent - 127 + offset) of each row and group of an operand, as binary64.
std::vector<double> powers(const AlignedMatrix& matrix, int offset) {
  std::vector<double> result(matrix.exponents.size());
  std::transform(matrix.exponents.begin(), matrix.exponents.end(), result.begin(),
                 [&](uint8_t exponent) { return std::ldexp(1.0, exponent - 127 + offset); });
  return result;
}

void check_operand(const GemmShape& shape, size_t size, size_t expected) {
  constexpr size_t kMostLanes = 1 << 20;  // of a group: keeps P * scale exact in binary64
  if (size != expected || std::min(shape.group, shape.k) > kMostLanes) {
    throw std::invalid_argument("fast_gemm: operand does not fit the shape");
  }
}

GemmResult empty_result(const GemmShape& shape) {
  return {.acc = std::vector<float>(shape.m * shape.n),
          .y = std::vector<Bf16>(shape.m * shape.n),
          .counts = {}};
}

void round_outputs(GemmResult& result) {
  std::transform(result.acc.begin(), result.acc.end(), result.y.begin(), bf16_from_float);
}

}  // namespace

GemmResult fast_gemm(const GemmShape& shape, std::span<const Bf16> x, std::span<const int8_t> codes,
                     std::span<const Bf16> scale) {
  const AlignedMatrix lanes = align_matrix(x, shape.m, shape.k, shape.group, shape.align_w);
  check_operand(shape, codes.size(), shape.n * shape.k);
  check_operand(shape, scale.size(), shape.n * shape.groups());
  const std::vector<double> weight = powers(lanes, 2 - shape.align_w);
  GemmResult result = empty_result(shape);
  std::vector<int16_t> stream(std::min(shape.group, shape.k));
  for (size_t n = 0; n < shape.n; ++n) {
    for (size_t g = 0; g < shape.groups(); ++g) {
      const size_t size = lanes.group_size(g);
      std::copy_n(&codes[n * shape.k + lanes.group_begin(g)], size, stream.begin());
      const Bf16 s = scale[n * shape.groups() + g];
      const double factor = s.reads_as_zero() ? 0.0 : to_float(s);
      for (size_t m = 0; m < shape.m; ++m) {
        const int64_t partial = long_dot(lanes.group_values(m, g), stream.data(), size);
        float& acc = result.acc[m * shape.n + n];
        const uint8_t exponent = lanes.exponent(m, g);
        if (exponent == kGroupExponentSpecial || s.is_special() ||
            !add_in_range(acc,
                          static_cast<double>(partial) * factor * weight[m * lanes.groups + g])) {
          acc = accumulate(acc, partial, s, exponent, shape.align_w, result.counts);
        }
      }
    }
  }
  round_outputs(result);
  return result;
}

GemmResult fast_gemm_bf16(const GemmShape& shape, std::span<const Bf16> x,
                          std::span<const Bf16> w) {
  const AlignedMatrix lanes = align_matrix(x, shape.m, shape.k, shape.group, shape.align_w);
  const AlignedMatrix columns = align_matrix(w, shape.n, shape.k, shape.group, shape.align_w);
  check_operand(shape, w.size(), shape.n * shape.k);
  const std::vector<double> lane_weight = powers(lanes, 2 - shape.align_w);
  const std::vector<double> column_weight = powers(columns, 2 - shape.align_w);
  GemmResult result = empty_result(shape);
  std::vector<int16_t> high(std::min(shape.group, shape.k));  // the two 8-bit slices of a column
  std::vector<int16_t> low(high.size());
  for (size_t n = 0; n < shape.n; ++n) {
    for (size_t g = 0; g < shape.groups(); ++g) {
      const size_t size = lanes.group_size(g);
      const int16_t* const stream = columns.group_values(n, g);
      for (size_t i = 0; i < size; ++i) {
        high[i] = static_cast<int16_t>(stream[i] >> 8);
        low[i] = static_cast<int16_t>(stream[i] & 0xFF);
      }
      const uint8_t stream_exponent = columns.exponent(n, g);
      for (size_t m = 0; m < shape.m; ++m) {
        const int16_t* const row = lanes.group_values(m, g);
        const int64_t partial =
            256 * long_dot(row, high.data(), size) + long_dot(row, low.data(), size);
        float& acc = result.acc[m * shape.n + n];
        const uint8_t exponent = lanes.exponent(m, g);
        if (exponent == kGroupExponentSpecial || stream_exponent == kGroupExponentSpecial ||
            !add_in_range(acc, static_cast<double>(partial) * lane_weight[m * lanes.groups + g] *
                                   column_weight[n * columns.groups + g])) {
          acc = accumulate_aligned(acc, partial, exponent, stream_exponent, shape.align_w,
                                   result.counts);
        }
      }
    }
  }
  round_outputs(result);
  return result;
}

}  // namespace rivulet
