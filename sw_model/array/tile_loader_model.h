// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_tile_loader: rows of BF16 values to stationary tiles, one bank ahead.
//
// Rows are aligned one after the other and then built in parallel, 16 cycles for each set of lane
// pairs. Up to two tiles are under way; `tile_take` hands the complete one to the stream. The model
// keeps the aligned integers of both banks; the tables that the RTL makes of them are not modelled.
// outputs() is what the ports show for the inputs of this cycle; clock() is the rising edge.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw_model/array/aligner_model.h"

namespace rivulet {

// A stationary tile: aligned integers, lanes that were not loaded are zero.
struct StationaryTile {
  size_t rows = 0;
  int align_w = 0;
  size_t group = 0;
  std::vector<int16_t> values;     // [positions, group]
  std::vector<uint8_t> exponents;  // [positions]

  const int16_t* row(size_t r) const { return values.data() + r * group; }
};

class TileLoaderModel {
 public:
  struct Inputs {
    bool job_valid = false;
    int job_rows = 0;
    int job_lanes = 0;
    int job_align_w = 0;
    bool x_valid = false;
    const Bf16* x = nullptr;  // four; read only with x_valid
    bool tile_take = false;   // only with tile_ready
  };
  struct Outputs {
    bool job_ready = false;
    bool x_ready = false;
    bool tile_ready = false;
  };

  // `build_pairs` lane pairs of a row are built at a time.
  TileLoaderModel(size_t positions, size_t group, size_t build_pairs);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

  // The bank that `tile_take` hands over, and the tile in a bank (complete once taken).
  size_t bank() const { return bank_; }
  size_t next_rows() const { return jobs_.entry[0].rows; }  // of the tile that is handed over next
  int next_align_w() const { return jobs_.entry[0].align_w; }
  const StationaryTile& tile(size_t bank) const { return tile_[bank]; }

 private:
  struct Job {
    size_t rows = 0;
    int align_w = 0;
  };
  struct Row {
    std::vector<int16_t> values;  // of the row that waits or is being built
    size_t lanes = 0;             // written so far
    uint8_t exponent = 0;
    bool full = false;
    bool built = false;
    unsigned build_left = 0;  // cycles; 0 = no build under way
  };
  // At most two entries, the oldest first.
  template <typename T>
  struct Pair {
    std::array<T, 2> entry{};
    size_t size = 0;
    void pop() {
      entry[0] = entry[1];
      --size;
    }
    void push(T value) { entry[size++] = value; }
  };

  AlignerModel::Inputs aligner_inputs(const Inputs& inputs) const;
  void build();
  void accept_beat(const AlignerModel::Outputs& beat);

  static constexpr size_t kBeatValues = 4;

  size_t group_;
  unsigned build_cycles_;
  AlignerModel aligner_;
  Pair<Job> jobs_;            // accepted and not yet taken
  Pair<size_t> rows_on_way_;  // rows of jobs that have not left the aligner
  std::vector<Row> row_;
  size_t beat_row_ = 0;     // row of the next aligned beat
  bool first_beat_ = true;  // it starts a row
  size_t bank_ = 0;         // being built
  std::array<StationaryTile, 2> tile_;
};

}  // namespace rivulet
