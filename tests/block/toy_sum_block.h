// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The streams of rivulet_toy_sum.

#include <array>
#include <cstddef>
#include <cstdint>

#include "sw_model/interfaces/clocked_block.h"

namespace rivulet {

struct ToySumInputs {
  bool in_valid = false;
  int8_t value = 0;
  bool last = false;
  bool sum_ready = false;
};

struct ToySumOutputs {
  bool in_ready = false;
  bool sum_valid = false;
  int16_t sum = 0;
};

struct ToySumBlock {
  using Inputs = ToySumInputs;
  using Outputs = ToySumOutputs;
  using Counters = uint16_t;  // sums taken
  static constexpr std::array<const char*, 1> kInputs{"in"};
  static constexpr std::array<const char*, 1> kOutputs{"sum"};

  static bool& valid(Inputs& inputs, size_t /*input*/) { return inputs.in_valid; }
  static bool ready(const Outputs& outputs, size_t /*input*/) { return outputs.in_ready; }
  static bool& ready(Inputs& inputs, size_t /*output*/) { return inputs.sum_ready; }
  static bool valid(const Outputs& outputs, size_t /*output*/) { return outputs.sum_valid; }
};

}  // namespace rivulet
