// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_bf16_stream: units of BF16 values to pairs of code beats, low bytes first.
//
// outputs() is what the ports show for the inputs of this cycle; clock() is the rising edge.
// Arithmetic: docs/numerics.md §4 and §5.

#include <cstddef>

#include "sw_model/array/aligner_model.h"
#include "sw_model/array/code_beat.h"

namespace rivulet {

class Bf16StreamModel {
 public:
  struct Inputs {
    bool job_valid = false;
    int job_units = 0;
    int job_lanes = 0;
    int job_align_w = 0;
    bool w_valid = false;
    const Bf16* w = nullptr;  // lanes / 2; read only with w_valid
    bool code_ready = false;
  };
  struct Outputs {
    bool job_ready = false;
    bool w_ready = false;
    bool code_valid = false;
    // Only with code_valid, until the next clock()
    const CodeBeat* code = nullptr;  // bytes, and the exponent
    bool code_last = false;          // of its unit
  };

  Bf16StreamModel(size_t lanes, size_t group);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

 private:
  AlignerModel::Inputs aligner_inputs(const Inputs& inputs) const;
  void take(const AlignerModel::Outputs& beat);

  size_t values_;  // of a beat
  AlignerModel aligner_;
  bool half_ = false;     // the first half of the lanes has arrived
  bool waiting_ = false;  // high bytes to send
  bool waiting_last_ = false;
  bool code_valid_ = false;
  bool code_last_ = false;
  CodeBeat low_;   // being collected
  CodeBeat high_;  // being collected
  CodeBeat code_;
  CodeBeat waiting_code_;
};

}  // namespace rivulet
