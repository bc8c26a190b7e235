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
  check_range(what, "PsumDepth", configuration_.psum_depth, 4, 32764);
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

size_t TileGeometry::x_beats(const TilePass& pass) const {
  if (!pass.load) return 0;
  return static_cast<size_t>(pass.rows) * ceil_divide(static_cast<size_t>(pass.lanes), kBeatValues);
}

size_t TileGeometry::scale_beats(const TilePass& pass) const {
  if (pass.stream == Stream::kBf16) return 0;
  return ceil_divide(static_cast<size_t>(pass.columns), kBeatValues);
}

size_t TileGeometry::words(const TilePass& pass) const {
  if (pass.stream == Stream::kBf16) return 0;
  const auto lanes = static_cast<size_t>(pass.lanes);
  const auto units = static_cast<size_t>(pass.columns);
  if (pass.transpose) return ceil_divide(lanes * group_, word_codes());
  if (one_request(lanes)) return ceil_divide(units * group_, word_codes());
  return units * ceil_divide(lanes, word_codes());
}

size_t TileGeometry::w_beats(const TilePass& pass) const {
  if (pass.stream != Stream::kBf16) return 0;
  return static_cast<size_t>(pass.columns) *
         ceil_divide(static_cast<size_t>(pass.lanes), stream_values());
}

size_t TileGeometry::y_beats(const TilePass& pass) const {
  if (!pass.last) return 0;
  return static_cast<size_t>(pass.rows) *
         ceil_divide(static_cast<size_t>(pass.columns), kBeatValues);
}

void TileGeometry::check_pass(const TilePass& pass) const {
  const std::string what = fmt::format("pass on configuration '{}'", configuration_.name);
  check_range(what, "align_w", pass.align_w, kMinAlignWidth, configuration_.align_w);
  check_range(what, "rows", pass.rows, 1, configuration_.positions);
  check_range(what, "lanes", pass.lanes, 1, configuration_.group);
  const int columns = pass.transpose ? std::min(configuration_.psum_depth, configuration_.group)
                                     : configuration_.psum_depth;
  check_range(what, "columns", pass.columns, 1, columns);
  check_view(pass.view);
  if (configuration_.q8_only != 0 && (pass.stream == Stream::kQ4 || pass.stream == Stream::kQ2)) {
    throw std::invalid_argument(what + ": this tile streams q8 codes and BF16 values only");
  }
  if (pass.transpose && pass.stream == Stream::kBf16) {
    throw std::invalid_argument(what + ": a BF16 stream has no transposed order");
  }
}

}  // namespace rivulet
