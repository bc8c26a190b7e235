// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_tile_loader: rows of BF16 values to stationary tiles, one bank ahead.
//
// Rows are aligned one after the other into one half of the row buffers; then all rows of the tile
// are built at once, 16 cycles for each set of lane pairs, while the next tile is aligned into the
// other half. `tile_take` hands the complete tile to the stream. The model keeps the aligned
// integers of both banks; the tables that the RTL makes of them are not modelled.
// outputs() is what the ports show for the inputs of this cycle; clock() is the rising edge.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "sw_model/array/aligner_model.h"

namespace rivulet {

// A stationary tile: aligned integers, lanes that were not loaded are zero.
struct StationaryTile {
  size_t rows = 0;
  size_t lanes = 0;
  int align_w = 0;
  size_t group = 0;
  std::vector<int16_t> values;     // [positions, group]
  std::vector<uint8_t> exponents;  // [positions]

  const int16_t* row(size_t r) const { return values.data() + r * group; }
};

class TileLoaderModel {
 public:
  struct Shape {
    size_t positions = 0;
    size_t group = 0;
    size_t x_values = 0;     // of a beat
    size_t build_pairs = 0;  // lane pairs of a row that are built at a time
    unsigned lookup_delay = 3;
  };
  struct Inputs {
    bool job_valid = false;
    int job_rows = 0;
    int job_lanes = 0;
    int job_align_w = 0;
    bool x_valid = false;
    const Bf16* x = nullptr;  // `x_values` of them; read only with x_valid
    bool tile_take = false;   // only with tile_ready
  };
  struct Outputs {
    bool job_ready = false;
    bool x_ready = false;
    bool tile_ready = false;
  };

  explicit TileLoaderModel(const Shape& shape);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

  // The bank that `tile_take` hands over, and the tile in a bank: complete while it is ready, and
  // until the next one in that bank is.
  size_t bank() const { return bank_; }
  const StationaryTile& tile(size_t bank) const { return tile_[bank]; }
  const StationaryTile& next_tile() const { return tile_[bank_]; }

  // Cycles of a build.
  unsigned build_time() const { return build_time_; }

 private:
  struct Job {
    size_t rows = 0;
    size_t lanes = 0;
    int align_w = 0;
  };
  // One half of the row buffers.
  struct Half {
    StationaryTile tile;
    bool waiting = false;  // the first step of all rows is there, its build has not started
    bool full = false;     // all beats are there, its build has not ended
  };

  AlignerModel::Inputs aligner_inputs(const Inputs& inputs) const;
  void accept_beat(const AlignerModel::Outputs& beat);
  void build(bool tile_take);

  static constexpr size_t kJobs = 2;  // on their way through the aligner

  Shape shape_;
  unsigned build_time_;
  AlignerModel aligner_;
  std::deque<Job> jobs_;
  std::array<Half, 2> half_;
  // Fill
  size_t fill_half_ = 0;
  size_t fill_row_ = 0;
  size_t fill_beat_ = 0;
  // Build: of half bank_ to bank bank_
  size_t bank_ = 1;
  unsigned build_left_ = 0;  // cycles, this one included; 0: none under way
  bool owned_ = false;       // from the start of a build until the tile is taken
  bool ready_ = false;
  unsigned looked_up_ = 0;  // cycles for which the bank given up is still in use
  std::array<StationaryTile, 2> tile_;
};

}  // namespace rivulet
