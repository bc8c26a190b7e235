// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_x_store: rows of stationary tiles from the x port or from the store.
//
// A beat leaves two cycles after it was accepted or read, one per cycle, from load to load too.
// outputs() is what the ports show for the inputs of this cycle; clock() is the rising edge.

#include <array>
#include <cstddef>
#include <deque>
#include <vector>

#include "sw_model/interfaces/tile_load.h"
#include "sw_model/numerics/bf16.h"

namespace rivulet {

class XStoreModel {
 public:
  struct Shape {
    size_t x_values = 0;  // of a beat
    size_t positions = 0;
    size_t group = 0;
    size_t slots = 0;
  };
  struct Inputs {
    bool load_valid = false;
    TileLoad load;
    bool x_valid = false;
    const Bf16* x = nullptr;  // `x_values` of them; read only with x_valid
    bool job_ready = false;
    bool out_ready = false;
  };
  struct Outputs {
    bool load_ready = false;
    bool x_ready = false;
    bool job_valid = false;
    TileLoad job;  // only with job_valid: rows, lanes and align_w
    bool out_valid = false;
    const Bf16* out = nullptr;  // only with out_valid, until the next clock()
  };

  explicit XStoreModel(const Shape& shape);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

 private:
  using Beat = std::vector<Bf16>;
  struct Stage {
    bool valid = false;
    Beat beat;
  };

  bool moves(const Inputs& in) const { return !stage_[1].valid || in.out_ready; }
  // Whether a beat enters the first stage in this cycle.
  bool enters(const Inputs& in) const {
    return beats_left_ != 0 && moves(in) && (load_.from_store || in.x_valid);
  }

  static constexpr size_t kJobs = 2;

  Shape shape_;
  std::deque<TileLoad> jobs_;
  // The load under way
  TileLoad load_;
  size_t beats_left_ = 0;
  size_t address_ = 0;
  std::array<Stage, 2> stage_;  // the second one is the output
  std::vector<Beat> memory_;
};

}  // namespace rivulet
