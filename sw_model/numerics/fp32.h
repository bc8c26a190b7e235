// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_FP32_H_
#define RIVULET_NUMERICS_FP32_H_

// FP32 values under the project's rules: subnormals read as zero, are never returned, NaN is
// canonical, one rounding per operation.
//
// Every operand pattern is legal; no errors. Arithmetic: docs/numerics.md §3 and §12.1.

#include <bit>
#include <cstdint>

#include "sw_model/numerics/bf16.h"
#include "sw_model/numerics/rounding.h"

namespace rivulet {

constexpr uint32_t kFp32CanonicalNanBits = 0x7FC00000;
constexpr float kFp32CanonicalNan = std::bit_cast<float>(kFp32CanonicalNanBits);

constexpr uint32_t fp32_bits(float value) { return std::bit_cast<uint32_t>(value); }
constexpr float fp32_from_bits(uint32_t bits) { return std::bit_cast<float>(bits); }
constexpr bool fp32_is_nan(float value) { return (fp32_bits(value) & 0x7FFFFFFF) > 0x7F800000; }
constexpr bool fp32_is_infinite(float value) {
  return (fp32_bits(value) & 0x7FFFFFFF) == 0x7F800000;
}

// RN_f32 of a real value that a binary64 holds.
constexpr float fp32_from_double(double value) {
  return std::bit_cast<float>(round_to_bits<24>(value));
}

// The value that an operation sees: a subnormal reads as zero of its sign.
constexpr float fp32_read(float value) {
  const uint32_t bits = fp32_bits(value);
  return (bits & 0x7F800000) == 0 ? fp32_from_bits(bits & 0x80000000) : value;
}

// RN_f32(a + b) and RN_f32(a * b). The binary64 product is exact; the binary64 sum has at least
// 2 * 24 + 2 significand bits, so that rounding it once more gives the rounding of the exact sum.
// An exact zero sum is +0, also for -0 + -0.
constexpr float fp32_add(float a, float b) {
  return fp32_from_double(static_cast<double>(fp32_read(a)) + static_cast<double>(fp32_read(b)) +
                          0.0);
}
constexpr float fp32_mul(float a, float b) {
  return fp32_from_double(static_cast<double>(fp32_read(a)) * static_cast<double>(fp32_read(b)));
}

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_FP32_H_
