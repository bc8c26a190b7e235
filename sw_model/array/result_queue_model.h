// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The result queue of a tile: quads of four columns, each with one FP32 value per position.
//
// The model of all rivulet_result_queue memories of a tile together. No clock of its own:
// DrainModel says which quad is free to be written, and copies a quad in the cycle of its last
// read.

#include <cstddef>
#include <vector>

namespace rivulet {

class ResultQueueModel {
 public:
  static constexpr size_t kColumns = 4;  // of a quad

  ResultQueueModel(size_t positions, size_t columns)
      : positions_(positions), quads_(columns / kColumns), values_(positions * columns) {}

  size_t positions() const { return positions_; }
  size_t quads() const { return quads_; }
  float& at(size_t quad, size_t column, size_t position) {
    return values_[(quad * kColumns + column) * positions_ + position];
  }
  float at(size_t quad, size_t column, size_t position) const {
    return values_[(quad * kColumns + column) * positions_ + position];
  }

 private:
  size_t positions_;
  size_t quads_;
  std::vector<float> values_;
};

}  // namespace rivulet
