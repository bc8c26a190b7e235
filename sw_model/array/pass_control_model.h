// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_pass_ctrl: in which cycles a beat of codes enters the array, and what it
// means.
//
// Passes are taken in order, the next one in the same cycle in which the last beat of the previous
// one enters. outputs() is what the ports show for the inputs of this cycle; clock() is the rising
// edge.

#include <array>
#include <cstddef>

#include "sw_model/tile/tile_geometry.h"
#include "sw_model/tile/stream.h"

namespace rivulet {

class PassControlModel {
 public:
  struct Inputs {
    bool pass_valid = false;
    const TilePass* pass = nullptr;
    bool tile_ready = false;  // of the loader
    size_t tile_bank = 0;
    size_t tile_rows = 0;
    int tile_align_w = 0;
    bool in_flight = false;  // updates of partial sums under way
    bool drain_done = false;
    size_t drain_done_half = 0;
    bool code_valid = false;
    bool scale_valid = false;
  };
  struct Outputs {
    bool pass_ready = false;
    bool tile_take = false;
    bool code_ready = false;
    bool scale_ready = false;
    bool fire = false;  // a beat enters; the fields from here to `last` describe it
    bool done = false;  // it ends `columns` units
    size_t columns = 0;
    bool last = false;  // it ends a pass that closes its half
    bool wait_tile = false;
    bool wait_psum = false;
    bool stall_code = false;
    bool stall_scale = false;
  };

  PassControlModel(const TileGeometry& geometry, size_t hazard_units);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

  // State that describes the beat that enters in this cycle.
  const TilePass& pass() const { return pass_; }
  size_t bank() const { return bank_; }
  size_t half() const { return half_; }
  size_t rows() const { return rows_; }
  int align_w() const { return align_w_; }
  size_t cycle() const { return cycle_; }    // of the unit
  size_t column() const { return column_; }  // first column of the beat

 private:
  size_t width() const;
  size_t last_cycle() const;

  size_t lanes_;
  size_t group_;
  size_t edges_;
  size_t hazard_units_;
  TilePass pass_;
  bool active_ = false;
  size_t bank_ = 0;
  size_t half_ = 0;
  size_t rows_ = 0;
  int align_w_ = 0;
  size_t column_ = 0;
  size_t cycle_ = 0;
  std::array<bool, 2> half_busy_{};
};

}  // namespace rivulet
