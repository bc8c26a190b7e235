// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The sizes of one tile that follow from its parameters: lanes, group, beats, words.
//
// Lengths are in lanes, positions, columns and codes. Illegal parameters throw
// std::invalid_argument that names the parameter, its value and its range.

#include <cstddef>

#include "sw_model/tile/configuration.h"
#include "sw_model/tile/tile_pass.h"

namespace rivulet {

constexpr size_t ceil_divide(size_t value, size_t divisor) {
  return (value + divisor - 1) / divisor;
}

class TileGeometry {
 public:
  explicit TileGeometry(const Configuration& configuration);

  const Configuration& configuration() const { return configuration_; }
  size_t lanes() const { return lanes_; }
  size_t positions() const { return positions_; }
  size_t group() const { return group_; }
  size_t psum_depth() const { return psum_depth_; }
  // Cycles of a full q8 unit.
  size_t sub() const { return group_ / lanes_; }
  // Edge units per position = columns that may finish in one cycle.
  size_t edges() const { return sub() >= 4 || configuration_.q8_only != 0 ? 1 : 4 / sub(); }

  // Per beat or word: BF16 values of x and scales, stored codes of a converter word, BF16 values
  // of a BF16 stream, columns of an output beat.
  static constexpr size_t kBeatValues = 4;
  size_t word_codes() const { return 4 * lanes_; }
  size_t stream_values() const { return lanes_ / 2; }

 private:
  Configuration configuration_;
  size_t lanes_;
  size_t positions_;
  size_t group_;
  size_t psum_depth_;
};

}  // namespace rivulet
