// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_aligner: rows of BF16 values to signed integers that share one exponent.
//
// outputs() is what the ports show for the inputs of this cycle; clock() is the rising edge. Beats
// wait for the maximum of their row; the first beat of a row leaves latency() cycles after its last
// beat was accepted, one beat per cycle. A new job is taken once the rows of the previous one have
// arrived. Arithmetic: docs/numerics.md §4.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw_model/numerics/bf16.h"

namespace rivulet {

class AlignerModel {
 public:
  struct Inputs {
    bool job_valid = false;
    int job_rows = 0;     // at least 1
    int job_lanes = 0;    // 1 to group
    int job_align_w = 0;  // 9 to AlignW
    bool x_valid = false;
    const Bf16* x = nullptr;  // `values` of them; read only with x_valid
    bool a_ready = false;
  };
  struct Outputs {
    bool job_ready = false;
    bool x_ready = false;
    bool a_valid = false;
    // Only with a_valid, until the next clock()
    const int16_t* a = nullptr;  // `values` integers
    uint8_t a_exponent = 0;
    bool a_last = false;  // of its row
  };

  // `values` of a beat, `group`: most lanes of a row.
  AlignerModel(size_t values, size_t group);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

  // Cycles from the last beat of a row to its first aligned one.
  static size_t latency(size_t values) { return max_stages(values) + 3; }

 private:
  struct Row {
    std::vector<Bf16> x;
    std::vector<int16_t> a;
    uint8_t exponent = 0;
    size_t beats = 0;
    uint64_t known = 0;  // first cycle in which its maximum is known
  };
  // A beat on its way through the three registers of the read side.
  struct Beat {
    bool valid = false;
    bool last = false;
    uint8_t exponent = 0;
    std::vector<int16_t> a;
  };

  // row_max_stages of rtl/rivulet_pkg.sv.
  static size_t max_stages(size_t values);

  bool row_ends(const Inputs& inputs) const;
  void write(const Inputs& inputs);
  void read(Beat& beat);

  size_t values_;
  size_t depth_;  // beats of the FIFO
  // Job and write side
  int rows_ = 0;  // still to arrive; 0 = no job
  size_t lanes_ = 1;
  int align_w_ = 0;
  size_t write_beat_ = 0;
  // Rows that arrived, in a ring, and the one that arrives behind them
  std::vector<Row> ring_;
  size_t first_row_ = 0;
  size_t row_count_ = 0;
  size_t beat_count_ = 0;  // of all of them
  uint64_t cycle_ = 0;
  // Read side
  size_t read_beat_ = 0;
  std::array<Beat, 3> stage_;  // the last one is the output
};

}  // namespace rivulet
