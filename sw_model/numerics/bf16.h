// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_BF16_H_
#define RIVULET_NUMERICS_BF16_H_

// BF16: the format of activations, scales and outputs.
//
// `Bf16` is a bit pattern; arithmetic happens in integers (align, accumulate), in FP32 (fp32.h) or
// in binary64 (transcendental.h). Every pattern is legal. Conversions never fail.
// Arithmetic: docs/numerics.md §2 and §3.

#include <bit>
#include <cstdint>

#include "sw_model/numerics/rounding.h"

namespace rivulet {

struct Bf16 {
  uint16_t bits = 0;

  friend constexpr bool operator==(Bf16 a, Bf16 b) = default;  // of patterns: NaN == NaN, -0 != +0

  constexpr bool negative() const { return (bits >> 15) != 0; }
  constexpr uint8_t field() const { return static_cast<uint8_t>(bits >> 7); }  // biased exponent
  constexpr uint8_t fraction() const { return static_cast<uint8_t>(bits & 0x7F); }
  // Integer significand, 128..255; 0 for zeros and subnormals (which read as zero). In field 255
  // the same 128 + fraction, see docs/numerics.md §4.
  constexpr int significand() const { return field() == 0 ? 0 : 128 + fraction(); }
  constexpr bool reads_as_zero() const { return field() == 0; }
  constexpr bool is_special() const { return field() == 255; }  // Inf or NaN
};

constexpr Bf16 kBf16CanonicalNan{0x7FC0};

// Appends 16 zero bits; exact for every pattern.
constexpr float to_float(Bf16 value) {
  return std::bit_cast<float>(static_cast<uint32_t>(value.bits) << 16);
}

// RN_bf16 of a real value that a binary64 holds; one rounding, NaN canonical.
constexpr Bf16 bf16_from_double(double value) {
  return Bf16{static_cast<uint16_t>(round_to_bits<8>(value))};
}

// RN_bf16 of an FP32 value; a subnormal reads as zero of its sign.
constexpr Bf16 bf16_from_float(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t field = (bits >> 23) & 0xFF;
  if (field == 0) return Bf16{static_cast<uint16_t>((bits >> 16) & 0x8000)};
  if (field == 255 && (bits & 0x7FFFFF) != 0) return kBf16CanonicalNan;
  return Bf16{static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16)};
}

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_BF16_H_
