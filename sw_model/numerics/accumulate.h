// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_ACCUMULATE_H_
#define RIVULET_NUMERICS_ACCUMULATE_H_

// The edge of the array: one group partial into one FP32 accumulator with one rounding.
//
// acc = RN_f32(acc + P * scale * 2^e), exact for every input with |P| < 2^56. Start from +0 and go
// through the groups in rising order. No errors: special operands give the canonical NaN, which
// sticks, and are counted. align_w is 9..16. Arithmetic: docs/numerics.md §5 and §6.

#include <cstdint>

#include "sw_model/numerics/bf16.h"

namespace rivulet {

struct AccumulateCounts {
  uint64_t special = 0;    // steps with an Inf or NaN operand (lane, stream or scale)
  uint64_t saturated = 0;  // steps in which a finite accumulator became Inf

  friend bool operator==(const AccumulateCounts&, const AccumulateCounts&) = default;
};

// Codes against aligned lanes (gemm): e = group_exponent - 127 - align_w + 2.
float accumulate(float acc, int64_t partial, Bf16 scale, uint8_t group_exponent, int align_w,
                 AccumulateCounts& counts);

// Aligned stream against aligned lanes (gemm-bf16): scale 1, both group exponents. Lanes and stream
// may be aligned to different widths.
float accumulate_aligned(float acc, int64_t partial, uint8_t lane_exponent, uint8_t stream_exponent,
                         int lane_align_w, int stream_align_w, AccumulateCounts& counts);
inline float accumulate_aligned(float acc, int64_t partial, uint8_t lane_exponent,
                                uint8_t stream_exponent, int align_w, AccumulateCounts& counts) {
  return accumulate_aligned(acc, partial, lane_exponent, stream_exponent, align_w, align_w, counts);
}

// RN_f32(acc + significand * 2^exponent), the exact core of both; acc and result obey the same
// rules, `counts.saturated` is updated. |significand| < 2^64.
float add_exact(float acc, __int128 significand, int exponent, AccumulateCounts& counts);

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_ACCUMULATE_H_
