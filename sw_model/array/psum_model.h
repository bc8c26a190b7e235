// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The partial sums of a tile: one FP32 value per column and position.
//
// The model of all rivulet_psum memories of a tile together. No clock of its own: a read and a
// write of one value never meet, so it does not matter in which cycle of its way an update takes
// the value.

#include <cstddef>
#include <vector>

namespace rivulet {

class PsumModel {
 public:
  PsumModel(size_t positions, size_t columns)
      : positions_(positions), values_(columns * positions) {}

  float& at(size_t column, size_t position) { return values_[column * positions_ + position]; }
  float at(size_t column, size_t position) const { return values_[column * positions_ + position]; }

 private:
  size_t positions_;
  std::vector<float> values_;
};

}  // namespace rivulet
