// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_drain: the finished partial sums of a job, quad by quad, as FP32 and BF16.
//
// A quad of columns is read in 4 / edges cycles while the quad before it is sent, one row a cycle.
// outputs() is what the ports show in this cycle; clock() is the rising edge.
// Arithmetic: docs/numerics.md §3 (rounding to BF16).

#include <array>
#include <cstddef>
#include <cstdint>

#include "sw_model/array/psum_model.h"

namespace rivulet {

class DrainModel {
 public:
  struct Job {
    size_t half = 0;
    size_t units = 0;
    size_t rows = 0;
  };
  struct Inputs {
    bool job_valid = false;
    Job job;
    bool y_ready = false;
  };
  struct Outputs {
    bool job_ready = false;
    bool done = false;  // the last beat is accepted in this cycle
    size_t done_half = 0;
    bool y_valid = false;
    bool y_last = false;
    uint64_t y = 0;                 // four BF16; only with y_valid, as acc
    std::array<uint32_t, 4> acc{};  // four FP32
  };

  DrainModel(const PsumModel& psum, size_t edges);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

 private:
  static constexpr size_t kQuad = 4;

  const PsumModel& psum_;
  size_t reads_;  // per quad
  // Job and read side
  bool active_ = false;
  bool reads_left_ = false;
  Job job_;
  size_t unit_ = 0;  // first column of the quad that is read
  size_t read_ = 0;
  // One quad on its way into the fill registers
  bool reading_ = false;
  bool read_ends_ = false;  // its last word arrives in this cycle
  size_t read_unit_ = 0;
  bool filled_ = false;
  size_t fill_unit_ = 0;
  // Send side
  bool sending_ = false;
  size_t send_unit_ = 0;
  size_t row_ = 0;
};

}  // namespace rivulet
