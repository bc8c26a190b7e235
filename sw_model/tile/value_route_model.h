// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_value_route: where the beats of BF16 values go, read after read.

#include <cstddef>

#include "sw_model/array/fifo_model.h"
#include "sw_model/interfaces/tile_read.h"

namespace rivulet {

class ValueRouteModel {
 public:
  // `values` of a beat.
  ValueRouteModel(size_t values, size_t group) : values_(values), group_(group) {}

  void reset() {
    next_.reset();
    left_ = 0;
  }
  bool read_ready() const { return next_.ready(); }
  bool turn() const { return left_ != 0 && transpose_; }     // to the transposing buffer
  bool stream() const { return left_ != 0 && !transpose_; }  // straight to the BF16 stream
  bool last() const { return left_ == 1; }
  // The clock edge; `fire`: a beat moves.
  void clock(bool read_valid, const TileRead& read, bool fire) {
    const bool taken = left_ == 0 || (fire && left_ == 1);
    if (fire) --left_;
    if (taken && next_.valid()) {
      transpose_ = next_.front().transpose;
      left_ = next_.front().beats;
    }
    next_.clock(read_valid, {read.transpose, beats(read)}, taken);
  }

 private:
  struct Job {
    bool transpose = false;
    size_t beats = 0;
  };

  size_t beats(const TileRead& read) const {
    const auto lanes = static_cast<size_t>(read.lanes);
    const auto columns = static_cast<size_t>(read.columns);
    if (!read.transpose) return columns * ((lanes + values_ - 1) / values_);
    const size_t outputs = group_ / 2;  // of a block
    return (columns + outputs - 1) / outputs * lanes * (outputs / values_);
  }

  size_t values_;
  size_t group_;
  FifoModel<Job, 2> next_;
  bool transpose_ = false;
  size_t left_ = 0;  // beats of the active read; 0 = none
};

}  // namespace rivulet
