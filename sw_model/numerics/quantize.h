// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_QUANTIZE_H_
#define RIVULET_NUMERICS_QUANTIZE_H_

// Symmetric 8-bit group quantization of real weights, round to nearest even.
//
// scale = RN_bf16(max|w| / 127), codes = clip(RNE(w / scale), -127, 127). A group of zeros, or one
// whose scale would be below 2^-126, gets scale +0 and codes 0.
// NaN or Inf weights and wrong sizes throw std::invalid_argument. Arithmetic: docs/numerics.md §11.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/numerics/align.h"
#include "sw_model/numerics/bf16.h"

namespace rivulet {

// Quantizes one group: writes weights.size() codes and returns the scale.
Bf16 quantize_group(std::span<const float> weights, std::span<int8_t> codes);

struct QuantizedMatrix {
  size_t rows = 0;
  size_t lanes = 0;
  size_t group = 0;
  size_t groups = 0;          // per row, ceil(lanes / group)
  std::vector<int8_t> codes;  // [rows, lanes]
  std::vector<Bf16> scales;   // [rows, groups]
};

QuantizedMatrix quantize_matrix(std::span<const float> weights, size_t rows, size_t lanes,
                                size_t group = kDefaultGroup);

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_QUANTIZE_H_
