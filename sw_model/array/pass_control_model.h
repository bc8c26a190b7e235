// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_pass_ctrl: in which cycles a beat of the replay buffer enters the array,
// and what it means.
//
// Passes are taken in order, the next one in the same cycle in which the last beat of the present
// one enters. outputs() is what the ports show for the inputs of this cycle; clock() is the rising
// edge.

#include <cstddef>
#include <cstdint>
#include <deque>

#include "sw_model/interfaces/segment.h"
#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/interfaces/tile_pass.h"

namespace rivulet {

// A stationary tile that is handed over to the stream: tile_t.
struct TileHandover {
  size_t bank = 0;
  size_t rows = 0;
  size_t lanes = 0;
  int align_w = 0;
};

// Four columns of results, or what is left of a segment: quad_t.
struct Quad {
  size_t rows = 0;
  size_t columns = 0;
  bool last = false;  // of the pass
};

// Why no beat enters: wait_t.
enum class Wait : uint8_t { kNone, kNoJob, kFirstLoad, kLoad, kCodes, kScales, kPsum, kResults };

class PassControlModel {
 public:
  struct Inputs {
    bool pass_valid = false;
    const TilePass* pass = nullptr;  // never null
    bool tile_ready = false;
    TileHandover tile;
    bool segment_valid = false;  // of the segment that `pass` would take
    Segment segment;
    bool code_valid = false;
    bool factor_valid = false;
    bool quad_ready = false;
  };
  struct Outputs {
    bool pass_ready = false;
    bool take = false;
    bool tile_take = false;
    bool fire = false;  // a beat enters; the fields from here to `quad_end` describe it
    bool done = false;  // it ends `columns` columns
    size_t columns = 0;
    bool quad_end = false;
    bool quad_valid = false;  // a quad of results is opened
    Quad quad;
    bool code_read = false;
    bool factor_read = false;
    bool factor_next = false;
    Wait wait = Wait::kNone;
  };

  // Columns that entered 1 to `hazard_cycles` cycles ago are not updated yet.
  PassControlModel(const TileGeometry& geometry, size_t hazard_cycles);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

  // State that describes the beat that enters in this cycle.
  const TilePass& pass() const { return pass_; }
  const Segment& segment() const { return segment_; }
  const TileHandover& tile() const { return tile_; }
  size_t cycle() const { return cycle_; }    // of the unit
  size_t column() const { return column_; }  // of the segment
  // Last column of the quad whose factor the beat needs.
  size_t factor_last() const;
  // The same column among the partial sums.
  size_t psum_column() const { return static_cast<size_t>(pass_.base) + column_; }

 private:
  // Columns that a beat ended, [first, first + count).
  struct Ended {
    size_t first = 0;
    size_t count = 0;
  };

  size_t width() const;
  size_t last_cycle() const;
  bool hazard(size_t columns) const;

  size_t lanes_;
  size_t edges_;
  TilePass pass_;
  Segment segment_;
  TileHandover tile_;
  bool active_ = false;
  size_t column_ = 0;
  size_t cycle_ = 0;
  std::deque<Ended> ended_;  // of the last cycles, the newest first
};

}  // namespace rivulet
