// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The result beats of one product in the order in which a tile sends them, and what they carry.
//
// For every `last` pass, four columns at a time, y_rows rows at a time. At the end done() is true
// and there is no place.

#include <cstddef>
#include <span>

#include "sw_model/common/range.h"
#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/tile/output_beat.h"
#include "sw_model/tile/tile_schedule.h"

namespace rivulet {

// The results of a product: both [m, n], memory of the caller.
struct TileResults {
  std::span<float> acc;
  std::span<Bf16> y;
};

class ResultWalk {
 public:
  // The outputs of one beat.
  struct Place {
    Range rows;
    Range columns;
    bool last_rows = false;  // of the row block, for these columns
    bool last = false;       // beat of its pass
  };

  // The schedule, of a product of `n` columns, outlives the walk.
  ResultWalk(const TileGeometry& geometry, const TileSchedule& schedule, size_t n);

  bool done() const { return pass_ == schedule_.passes().size(); }
  const Place& place() const { return place_; }
  void advance();

  // Puts the present beat into its place. A misplaced `last` and a value beyond the matrix that is
  // not zero throw Mismatch.
  void store(const OutputBeat& beat, const TileResults& results) const;
  // The beat that carries these results.
  OutputBeat beat(const TileResults& results) const;

 private:
  void find_last_pass();
  void set_place();

  const TileSchedule& schedule_;
  size_t n_;
  size_t y_rows_;
  size_t pass_ = 0;
  size_t row_ = 0;     // of the pass
  size_t column_ = 0;  // of the pass
  Place place_;
};

}  // namespace rivulet
