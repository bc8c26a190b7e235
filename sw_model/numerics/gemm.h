// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_GEMM_H_
#define RIVULET_NUMERICS_GEMM_H_

// The two matrix products of the array, as functions of whole matrices (no clock, no tiles).
//
// gemm: x BF16 [m, k] times codes [n, k] with a BF16 scale per column and group.
// gemm_bf16: x BF16 [m, k] times w BF16 [n, k]. Both: acc FP32 [m, n], y BF16 [m, n].
// Wrong sizes throw std::invalid_argument. Group partials are exact integers; one rounding per
// group. Arithmetic: docs/numerics.md §5 to §8.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/numerics/accumulate.h"
#include "sw_model/numerics/align.h"
#include "sw_model/numerics/bf16.h"

namespace rivulet {

struct GemmShape {
  size_t m = 0;  // rows of x
  size_t n = 0;  // columns of the result
  size_t k = 0;  // reduction length
  size_t group = kDefaultGroup;
  int align_w = kMaxAlignWidth;

  size_t groups() const { return (k + group - 1) / group; }
};

struct GemmResult {
  std::vector<float> acc;  // [m, n]
  std::vector<Bf16> y;     // [m, n]
  AccumulateCounts counts;
};

// Exact group partials over `lanes` lanes.
int64_t group_partial(const int16_t* aligned, const int8_t* codes, size_t lanes);
int64_t group_partial(const int16_t* aligned, const int16_t* stream, size_t lanes);

// codes [n, k], scale [n, groups].
GemmResult gemm(const GemmShape& shape, std::span<const Bf16> x, std::span<const int8_t> codes,
                std::span<const Bf16> scale);

// w [n, k].
GemmResult gemm_bf16(const GemmShape& shape, std::span<const Bf16> x, std::span<const Bf16> w);

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_GEMM_H_
