// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The partial sums of a tile: two halves of `depth` columns, each with one FP32 value per position.
//
// The model of all rivulet_psum memories of a tile together. No clock of its own: the edge model
// reads and writes at the right cycles, and the half that the drain reads does not change under it.

#include <array>
#include <cstddef>
#include <vector>

namespace rivulet {

class PsumModel {
 public:
  PsumModel(size_t positions, size_t depth) : positions_(positions) {
    for (auto& half : half_) half.resize(positions * depth);
  }

  float& at(size_t half, size_t column, size_t position) {
    return half_[half][column * positions_ + position];
  }
  float at(size_t half, size_t column, size_t position) const {
    return half_[half][column * positions_ + position];
  }

 private:
  size_t positions_;
  std::array<std::vector<float>, 2> half_;
};

}  // namespace rivulet
