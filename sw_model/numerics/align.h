// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_ALIGN_H_
#define RIVULET_NUMERICS_ALIGN_H_

// Alignment of BF16 lanes to one shared exponent per group.
//
// The lanes of a group become signed integers of `align_w` bits (9..16) relative to the largest
// exponent of the group; |a| <= 2^(align_w-1) - 2^(align_w-9), so that every integer fits.
// Wrong sizes and an align_w out of range throw std::invalid_argument.
// Arithmetic: docs/numerics.md §4.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/numerics/bf16.h"

namespace rivulet {

constexpr int kMinAlignWidth = 9;
constexpr int kMaxAlignWidth = 16;
constexpr int kDefaultGroup = 128;

// Group exponent: 0 = all lanes are zero, 1..254 = E + 127, 255 = special (a lane is Inf or NaN).
constexpr uint8_t kGroupExponentSpecial = 255;

// Aligned integer of one lane, given the group exponent (>= lane.field()).
int16_t align_lane(Bf16 lane, uint8_t group_exponent, int align_w);

// Aligns one group: writes lanes.size() integers to `aligned` and returns the group exponent.
uint8_t align_group(std::span<const Bf16> lanes, int align_w, std::span<int16_t> aligned);

// A row-major [rows, lanes] operand after alignment; the last group of a row may be shorter.
struct AlignedMatrix {
  size_t rows = 0;
  size_t lanes = 0;   // the reduction length, K
  size_t group = 0;   // lanes per group
  size_t groups = 0;  // per row, ceil(lanes / group)
  int align_w = 0;
  std::vector<int16_t> values;     // [rows, lanes]
  std::vector<uint8_t> exponents;  // [rows, groups]

  size_t group_begin(size_t g) const { return g * group; }
  size_t group_size(size_t g) const { return g + 1 < groups ? group : lanes - g * group; }
  const int16_t* group_values(size_t row, size_t g) const {
    return values.data() + row * lanes + g * group;
  }
  uint8_t exponent(size_t row, size_t g) const { return exponents[row * groups + g]; }
};

AlignedMatrix align_matrix(std::span<const Bf16> values, size_t rows, size_t lanes,
                           size_t group = kDefaultGroup, int align_w = kMaxAlignWidth);

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_ALIGN_H_
