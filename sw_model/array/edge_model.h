// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_edge: a pipeline that adds group partials to FP32 partial sums.
//
// One update a cycle. Its partial sum is read kReadStage cycles after it entered, the value is
// there two cycles later, and the result leaves kStages cycles after it entered. outputs() is what
// the ports show in this cycle; clock() is the rising edge. Arithmetic: docs/numerics.md §6.

#include <array>
#include <cstddef>
#include <cstdint>

#include "sw_model/numerics/bf16.h"

namespace rivulet {

class EdgeModel {
 public:
  static constexpr size_t kStages = 9;
  static constexpr size_t kReadStage = 2;
  // Two updates of one partial sum are at least this many cycles apart.
  static constexpr size_t kDistance = kStages - kReadStage + 1;

  struct Inputs {
    bool valid = false;
    int64_t partial = 0;
    bool unit_scale = false;  // the scale is one
    Bf16 scale = {};
    int exponent = 0;      // of the product of partial and the scale's integer significand
    bool special = false;  // an operand is Inf or NaN
    bool first = false;    // the partial sum starts from +0
    bool carry = false;    // nothing is added
    uint32_t address = 0;  // of the partial sum
    uint64_t tag = 0;      // comes back with the result
    float acc = 0;         // partial sum that was read two cycles ago
  };
  struct Outputs {
    bool read = false;
    uint32_t read_address = 0;
    bool write = false;
    uint32_t write_address = 0;  // only with write, as all that follow
    uint64_t write_tag = 0;
    float acc = 0;
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

  std::array<Update, kStages + 1> stage_{};  // stage_[s]: entered s cycles ago, 0 unused
};

}  // namespace rivulet
