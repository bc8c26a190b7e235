// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// rivulet_toy_sum for the harness of tb/block.

#include <fmt/format.h>

#include <string>

#include "tb/block/block_ports.h"
#include "tb/random.h"
#include "tests/block/toy_sum_block.h"

namespace rivulet {

template <>
struct BlockPorts<ToySumBlock> {
  class Noise {
   public:
    explicit Noise(uint64_t seed) : random_(seed) {}
    void fresh(size_t /*input*/, ToySumInputs& inputs) {
      inputs.value = static_cast<int8_t>(random_.next());
      inputs.last = random_.chance(0.5);
    }
    void rest(size_t /*input*/, ToySumInputs& inputs) {
      inputs.value = 0;
      inputs.last = false;
    }

   private:
    Random random_;
  };

  static bool same(size_t /*output*/, const ToySumOutputs& a, const ToySumOutputs& b) {
    return a.sum == b.sum;
  }
  static std::string text(size_t /*output*/, const ToySumOutputs& outputs) {
    return fmt::format("{}", outputs.sum);
  }
  static std::string text(uint16_t packets) { return fmt::format("{} packets", packets); }

  template <typename Top>
  static void set(Top& top, const ToySumInputs& inputs) {
    top.in_valid_i = inputs.in_valid;
    top.in_value_i = static_cast<uint8_t>(inputs.value);
    top.in_last_i = inputs.last;
    top.sum_ready_i = inputs.sum_ready;
  }
  template <typename Top>
  static void get(const Top& top, ToySumOutputs& outputs) {
    outputs = {.in_ready = top.in_ready_o != 0,
               .sum_valid = top.sum_valid_o != 0,
               .sum = static_cast<int16_t>(top.sum_o)};
  }
  template <typename Top>
  static uint16_t counters(const Top& top) {
    return top.packets_o;
  }
};

}  // namespace rivulet
