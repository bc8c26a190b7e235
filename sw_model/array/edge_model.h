// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_edge: a pipeline that adds group partials to FP32 partial sums.
//
// One update a cycle. Its partial sum is read 2 cycles after it entered, the value is used a cycle
// later, and the result is written 7 cycles after it entered. outputs() is what the ports show in
// this cycle; clock() is the rising edge. Arithmetic: docs/numerics.md §6.

#include <array>
#include <cstddef>
#include <cstdint>

#include "sw_model/numerics/bf16.h"

namespace rivulet {

class EdgeModel {
 public:
  static constexpr size_t kReadStage = 2;
  static constexpr size_t kWriteStage = 7;

  struct Inputs {
    bool valid = false;
    int64_t partial = 0;
    bool unit_scale = false;  // the scale is one
    Bf16 scale = {};
    int exponent = 0;      // of the product of partial and the scale's integer significand
    bool special = false;  // an operand is Inf or NaN
    bool first = false;    // the partial sum starts from +0
    uint32_t address = 0;
    float acc = 0;  // partial sum read in the cycle before
  };
  struct Outputs {
    bool read = false;
    uint32_t read_address = 0;
    bool write = false;
    uint32_t write_address = 0;
    float acc = 0;           // only with write, as saturated
    bool saturated = false;  // a finite partial sum became Inf
  };

  void reset();
  Outputs outputs() const;
  void clock(const Inputs& inputs);

 private:
  struct Update {
    Inputs in;
    float acc = 0;
    bool saturated = false;
  };

  std::array<Update, kWriteStage + 1> stage_{};  // stage_[s]: entered s cycles ago, 0 unused
};

}  // namespace rivulet
