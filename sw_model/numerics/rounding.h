// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_ROUNDING_H_
#define RIVULET_NUMERICS_ROUNDING_H_

// The one rounding rule of the project: an exact value +-magnitude * 2^exponent to BF16 or FP32.
//
// Round to nearest even with unbounded exponent, then overflow to Inf and flush below 2^-126 to a
// signed zero. Constant time, no state, no errors; exact for every input.
// Arithmetic: docs/numerics.md §3.

#include <bit>
#include <cstdint>

namespace rivulet {

using Uint128 = unsigned __int128;

constexpr int kMinExponent = -126;  // of the smallest normal BF16 and FP32 value
constexpr int kMaxExponent = 127;   // of the largest one
constexpr int kExponentBias = 127;

// Number of bits of `value` up to its most significant one; 0 for 0.
constexpr int bit_length(Uint128 value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 128 - std::countl_zero(high)
                   : 64 - std::countl_zero(static_cast<uint64_t>(value));
}

// Rounds (-1)^negative * magnitude * 2^exponent to a format with `SignificandBits` (8 = BF16, 24 =
// FP32) and returns its bit pattern without the bits below the format: a BF16 pattern in 16 bits,
// an FP32 pattern in 32. A magnitude of 0 gives a zero of the given sign. A caller that dropped
// bits of the exact value must have set the lowest bit of `magnitude` ("sticky") and kept at least
// two bits below the rounding position.
template <int SignificandBits>
constexpr uint32_t round_to_bits(bool negative, Uint128 magnitude, int exponent) {
  constexpr int kFractionBits = SignificandBits - 1;
  const uint32_t sign = static_cast<uint32_t>(negative) << (8 + kFractionBits);
  if (magnitude == 0) return sign;
  const int length = bit_length(magnitude);
  const int dropped = length - SignificandBits;
  int top = exponent + length - 1;  // floor(log2 |value|)
  uint32_t significand = 0;
  if (dropped <= 0) {
    significand = static_cast<uint32_t>(magnitude) << -dropped;
  } else {
    significand = static_cast<uint32_t>(magnitude >> dropped);
    const Uint128 half = Uint128{1} << (dropped - 1);
    const Uint128 rest = magnitude & ((half << 1) - 1);
    if (rest > half || (rest == half && (significand & 1) != 0)) ++significand;
    if ((significand >> SignificandBits) != 0) {
      significand >>= 1;
      ++top;
    }
  }
  if (top > kMaxExponent) return sign | (uint32_t{0xFF} << kFractionBits);
  if (top < kMinExponent) return sign;
  const uint32_t fraction = significand & ((uint32_t{1} << kFractionBits) - 1);
  return sign | (static_cast<uint32_t>(top + kExponentBias) << kFractionBits) | fraction;
}

// The same for a finite or infinite binary64 value. NaN gives the canonical NaN.
template <int SignificandBits>
constexpr uint32_t round_to_bits(double value) {
  constexpr uint64_t kFraction = (uint64_t{1} << 52) - 1;
  const auto bits = std::bit_cast<uint64_t>(value);
  const bool negative = (bits >> 63) != 0;
  const int field = static_cast<int>((bits >> 52) & 0x7FF);
  const uint64_t fraction = bits & kFraction;
  if (field == 0x7FF) {
    const uint32_t infinity = uint32_t{0xFF} << (SignificandBits - 1);
    if (fraction != 0) return infinity | (uint32_t{1} << (SignificandBits - 2));
    return infinity | (static_cast<uint32_t>(negative) << (7 + SignificandBits));
  }
  if (field == 0) return round_to_bits<SignificandBits>(negative, 0, 0);  // far below 2^-126
  return round_to_bits<SignificandBits>(negative, fraction | (kFraction + 1), field - 1075);
}

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_ROUNDING_H_
