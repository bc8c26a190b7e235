// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_drain: finished quads of the result queue, as FP32 and BF16.
//
// A quad is allocated, written by the edge units, done, read in 4 / edges cycles while the quad
// before it is sent, and free again. outputs() is what the ports show in this cycle; clock() is the
// rising edge, before which the results of this cycle are written. Arithmetic: docs/numerics.md §3.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw_model/array/result_queue_model.h"
#include "sw_model/interfaces/configuration.h"

namespace rivulet {

class DrainModel {
 public:
  struct Inputs {
    bool alloc_valid = false;
    size_t alloc_rows = 0;
    size_t alloc_columns = 0;
    bool alloc_last = false;  // of its pass
    bool quad_done = false;   // the last result of the oldest quad that is not done is written
    bool y_ready = false;
  };
  struct Outputs {
    bool alloc_ready = false;
    size_t alloc_quad = 0;  // that would be allocated
    bool y_valid = false;
    bool y_last = false;
    std::array<uint64_t, kMaxYRows> y{};  // only with y_valid, as acc
    std::array<std::array<uint32_t, 4>, kMaxYRows> acc{};
  };

  DrainModel(const ResultQueueModel& queue, size_t edges, size_t y_rows);

  void reset();
  Outputs outputs() const;
  void clock(const Inputs& inputs);

 private:
  struct Meta {
    size_t rows = 0;
    size_t columns = 0;
    bool last = false;
  };
  // One quad on its way; valid from its last word on.
  struct Quad {
    bool valid = false;
    Meta meta;
    std::vector<std::array<uint32_t, 4>> acc;  // by row
  };

  void read(Quad& quad) const;

  const ResultQueueModel& queue_;
  size_t reads_;  // of a quad
  size_t y_rows_;
  // The circle of quads
  std::vector<Meta> meta_;
  size_t alloc_quad_ = 0;
  size_t read_quad_ = 0;
  size_t word_ = 0;  // of the quad that is read
  size_t free_ = 0;
  size_t done_ = 0;
  // In the first register of the memories, in the second one, at the output
  Quad fetched_;
  Quad arrived_;
  Quad sending_;
  size_t row_ = 0;  // first one of the beat
};

}  // namespace rivulet
