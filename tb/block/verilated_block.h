// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A verilated module as a clocked block. `Top` is made by Verilator; BlockPorts<Block> moves values
// between its ports and the block's.
//
// All registers start at random values drawn from the seed, and inputs are noise while in reset. A
// violated assertion of the RTL is printed by the model and throws Mismatch. Waves and the order of
// events in a cycle: tb/verilated_model.h.

#include <fmt/format.h>

#include <cstdint>

#include "sw_model/common/device_error.h"
#include "sw_model/interfaces/clocked_block.h"
#include "tb/block/block_ports.h"
#include "tb/random.h"
#include "tb/verilated_model.h"

namespace rivulet {

// `Base`: ClockedBlock<Block>, or a class that adds to it.
template <typename Block, typename Top, typename Base = ClockedBlock<Block>>
class VerilatedBlock : public Base {
 public:
  using Ports = BlockPorts<Block>;

  explicit VerilatedBlock(uint64_t seed, const WaveOptions& waves = {})
      : model_(seed, waves), random_(seed), noise_(seed) {
    VerilatedBlock::reset();
  }

  void reset() override {
    constexpr int kCycles = 3;
    Top& top = model_.top();
    top.rst_ni = 0;
    for (int cycle = 0; cycle < kCycles; ++cycle) {
      typename Block::Inputs inputs;
      for (size_t i = 0; i < Block::kInputs.size(); ++i) {
        noise_.fresh(i, inputs);
        Block::valid(inputs, i) = random_.chance(0.5);
      }
      for (size_t i = 0; i < Block::kOutputs.size(); ++i) {
        Block::ready(inputs, i) = random_.chance(0.5);
      }
      Ports::set(top, inputs);
      model_.settle();
      model_.edge();
    }
    top.rst_ni = 1;
  }

  const typename Block::Outputs& step(const typename Block::Inputs& inputs) override {
    Ports::set(model_.top(), inputs);
    model_.settle();
    Ports::get(model_.top(), outputs_);
    model_.edge();
    if (model_.failed()) {
      throw Mismatch(
          fmt::format("cycle {}: an assertion of the RTL was violated, see above", model_.cycle()));
    }
    return outputs_;
  }

  typename Block::Counters counters() const override { return Ports::counters(model_.top()); }

  const Top& top() const { return model_.top(); }

 private:
  VerilatedModel<Top> model_;
  Random random_;
  typename Ports::Noise noise_;
  typename Block::Outputs outputs_;
};

}  // namespace rivulet
