// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/numerics/align.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace rivulet {
namespace {

void check_align_width(int align_w) {
  if (align_w < kMinAlignWidth || align_w > kMaxAlignWidth) {
    throw std::invalid_argument(
        fmt::format("align_w is {}, must be {} to {}", align_w, kMinAlignWidth, kMaxAlignWidth));
  }
}

// RNE(significand * 2^up / 2^down) for a significand of at most 8 bits and up <= 7.
int shift_rne(int significand, int up, int down) {
  const int value = significand << up;
  if (down == 0) return value;
  if (down > 16) return 0;  // value < 2^15, so that it is below half
  const int half = 1 << (down - 1);
  const int quotient = value >> down;
  const int rest = value & (2 * half - 1);
  return quotient + static_cast<int>(rest > half || (rest == half && (quotient & 1) != 0));
}

}  // namespace

int16_t align_lane(Bf16 lane, uint8_t group_exponent, int align_w) {
  const int magnitude =
      shift_rne(lane.significand(), align_w - kMinAlignWidth, group_exponent - lane.field());
  return static_cast<int16_t>(lane.negative() ? -magnitude : magnitude);
}

uint8_t align_group(std::span<const Bf16> lanes, int align_w, std::span<int16_t> aligned) {
  check_align_width(align_w);
  if (aligned.size() != lanes.size()) {
    throw std::invalid_argument(fmt::format("align: {} lanes, but room for {} aligned integers",
                                            lanes.size(), aligned.size()));
  }
  uint8_t exponent = 0;
  for (const Bf16 lane : lanes) exponent = std::max(exponent, lane.field());
  for (size_t i = 0; i < lanes.size(); ++i) aligned[i] = align_lane(lanes[i], exponent, align_w);
  return exponent;
}

AlignedMatrix align_matrix(std::span<const Bf16> values, size_t rows, size_t lanes, size_t group,
                           int align_w) {
  check_align_width(align_w);
  if (group == 0) throw std::invalid_argument("align: group is 0, must be at least 1");
  if (values.size() != rows * lanes) {
    throw std::invalid_argument(
        fmt::format("align: {} values do not fill [{}, {}]", values.size(), rows, lanes));
  }
  AlignedMatrix result{.rows = rows,
                       .lanes = lanes,
                       .group = group,
                       .groups = (lanes + group - 1) / group,
                       .align_w = align_w,
                       .values = std::vector<int16_t>(rows * lanes),
                       .exponents = {}};
  result.exponents.reserve(rows * result.groups);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t g = 0; g < result.groups; ++g) {
      const size_t first = row * lanes + result.group_begin(g);
      const size_t size = result.group_size(g);
      result.exponents.push_back(align_group(values.subspan(first, size), align_w,
                                             std::span(result.values).subspan(first, size)));
    }
  }
  return result;
}

}  // namespace rivulet
