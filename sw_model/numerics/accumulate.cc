// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/numerics/accumulate.h"

#include <algorithm>

#include "sw_model/numerics/fp32.h"
#include "sw_model/numerics/rounding.h"

namespace rivulet {
namespace {

// +-magnitude * 2^exponent, magnitude below 2^64.
struct Term {
  bool negative;
  uint64_t magnitude;
  int exponent;

  int top() const { return exponent + bit_length(magnitude) - 1; }  // floor(log2), magnitude > 0
};

// Rounded sum of two non-zero terms, one of them an accumulator of 24 bits, aligned in 126 bits.
// Bits of the smaller term are shifted out only where all of it lies below the lowest bit of the
// larger one. At least its leading bit stays and stands for the lost ones, far below every rounding
// position.
float add_terms(const Term& a, const Term& b) {
  const bool a_leads = a.top() >= b.top();
  const Term& lead = a_leads ? a : b;
  const Term& follow = a_leads ? b : a;
  constexpr int kTopBit = 124;
  const auto normalize = [](const Term& term) {
    return Uint128{term.magnitude} << (kTopBit + 1 - bit_length(term.magnitude));
  };
  const Uint128 large = normalize(lead);
  const Uint128 small = normalize(follow) >> std::min(lead.top() - follow.top(), kTopBit);
  bool negative = lead.negative;
  Uint128 magnitude = 0;
  if (lead.negative == follow.negative) {
    magnitude = large + small;
  } else if (large >= small) {
    magnitude = large - small;
  } else {
    magnitude = small - large;
    negative = !negative;
  }
  if (magnitude == 0) return 0.0F;
  return fp32_from_bits(round_to_bits<24>(negative, magnitude, lead.top() - kTopBit));
}

float accumulate_scaled(float acc, bool special, __int128 significand, int exponent,
                        AccumulateCounts& counts) {
  if (special) {
    ++counts.special;
    return kFp32CanonicalNan;
  }
  return add_exact(acc, significand, exponent, counts);
}

}  // namespace

float add_exact(float acc, __int128 significand, int exponent, AccumulateCounts& counts) {
  if (fp32_is_nan(acc)) return kFp32CanonicalNan;
  if (fp32_is_infinite(acc)) return acc;
  const uint32_t bits = fp32_bits(acc);
  const auto field = static_cast<int>((bits >> 23) & 0xFF);
  const bool acc_is_zero = field == 0;
  if (significand == 0) return acc_is_zero ? 0.0F : acc;

  const bool negative = significand < 0;
  const Term addend{.negative = negative,
                    .magnitude = static_cast<uint64_t>(negative ? -significand : significand),
                    .exponent = exponent};
  float sum = 0;
  if (acc_is_zero) {
    sum = fp32_from_bits(round_to_bits<24>(addend.negative, addend.magnitude, addend.exponent));
  } else {
    const Term start{.negative = (bits >> 31) != 0,
                     .magnitude = (bits & 0x7FFFFF) | 0x800000,
                     .exponent = field - 150};
    sum = add_terms(start, addend);
  }
  if (fp32_is_infinite(sum)) ++counts.saturated;
  return sum;
}

float accumulate(float acc, int64_t partial, Bf16 scale, uint8_t group_exponent, int align_w,
                 AccumulateCounts& counts) {
  const bool special = group_exponent == 255 || scale.is_special();
  const int signed_scale = scale.negative() ? -scale.significand() : scale.significand();
  // scale = significand * 2^(field - 134); 2^e with e = group_exponent - 127 - align_w + 2.
  const int exponent = (scale.field() - 134) + (group_exponent - 125 - align_w);
  return accumulate_scaled(acc, special, static_cast<__int128>(partial) * signed_scale, exponent,
                           counts);
}

float accumulate_aligned(float acc, int64_t partial, uint8_t lane_exponent, uint8_t stream_exponent,
                         int lane_align_w, int stream_align_w, AccumulateCounts& counts) {
  const bool special = lane_exponent == 255 || stream_exponent == 255;
  const int exponent =
      (lane_exponent - 125 - lane_align_w) + (stream_exponent - 125 - stream_align_w);
  return accumulate_scaled(acc, special, partial, exponent, counts);
}

}  // namespace rivulet
