// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The matrix products of docs/numerics.md §7 and §8, an order of magnitude faster than the
// reference.
//
// The same bits as gemm() and gemm_bf16() of sw_model/numerics/gemm.h for every input: partials are
// summed in 32-bit integers, and the one rounding of an accumulate step is done in binary64 rounded
// to odd, which has more than the two spare bits that a second rounding to FP32 needs. Steps near
// the ends of the FP32 range, and those with special operands, go through the reference. Wrong
// sizes throw std::invalid_argument.

#include "sw_model/numerics/gemm.h"

namespace rivulet {

GemmResult fast_gemm(const GemmShape& shape, std::span<const Bf16> x, std::span<const int8_t> codes,
                     std::span<const Bf16> scale);

GemmResult fast_gemm_bf16(const GemmShape& shape, std::span<const Bf16> x, std::span<const Bf16> w);

}  // namespace rivulet
