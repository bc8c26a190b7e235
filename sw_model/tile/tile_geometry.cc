// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "sw_model/numerics/align.h"

namespace rivulet {
namespace {

void check_range(const std::string& what, const char* parameter, int value, int low, int high) {
  if (value < low || value > high) {
    throw std::invalid_argument(
        fmt::format("{}: {} is {}, it must be {} to {}", what, parameter, value, low, high));
  }
}

}  // namespace

TileGeometry::TileGeometry(const Configuration& configuration)
    : configuration_(configuration),
      lanes_(static_cast<size_t>(configuration_.lanes)),
      positions_(static_cast<size_t>(configuration_.positions)),
      group_(static_cast<size_t>(configuration_.group)),
      psum_depth_(static_cast<size_t>(configuration_.psum_depth)) {
  const std::string what = fmt::format("configuration '{}'", configuration_.name);
  check_range(what, "Lanes", configuration_.lanes, 8, 128);
  check_range(what, "Positions", configuration_.positions, 1, 255);
  check_range(what, "AlignW", configuration_.align_w, kMinAlignWidth, kMaxAlignWidth);
  check_range(what, "Group", configuration_.group, configuration_.lanes, 128);
  check_range(what, "PsumDepth", configuration_.psum_depth, 4, 65532);
  if (psum_depth_ % 4 != 0) {
    throw std::invalid_argument(
        fmt::format("{}: PsumDepth is {}, it must be a multiple of 4", what, psum_depth_));
  }
  if (!std::has_single_bit(lanes_)) {
    throw std::invalid_argument(
        fmt::format("{}: Lanes is {}, it must be a power of two", what, lanes_));
  }
  if (group_ % lanes_ != 0 || !std::has_single_bit(sub())) {
    throw std::invalid_argument(fmt::format(
        "{}: Group is {}, it must be Lanes ({}) times a power of two", what, group_, lanes_));
  }
}

}  // namespace rivulet
