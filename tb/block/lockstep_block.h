// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Two blocks that get the same inputs: one under test and its cycle model. Every output is compared
// in every cycle (payloads while they are valid), counters included.

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>

#include "sw_model/common/device_error.h"
#include "sw_model/interfaces/clocked_block.h"
#include "tb/block/block_ports.h"
#include "tb/scoreboard.h"

namespace rivulet {

// Values that the scoreboard can compare and print.
template <typename Block>
struct BlockPayload {
  size_t output;
  const typename Block::Outputs& outputs;
  bool operator==(const BlockPayload& other) const {
    return BlockPorts<Block>::same(output, outputs, other.outputs);
  }
};
template <typename Block>
std::string hex(const BlockPayload<Block>& payload) {
  return BlockPorts<Block>::text(payload.output, payload.outputs);
}
template <typename Block>
struct BlockStatus {
  const typename Block::Counters& counters;
  bool operator==(const BlockStatus& other) const { return counters == other.counters; }
};
template <typename Block>
std::string hex(const BlockStatus<Block>& status) {
  return BlockPorts<Block>::text(status.counters);
}

template <typename Block>
class LockstepBlock final : public ClockedBlock<Block> {
 public:
  using Inputs = typename Block::Inputs;
  using Outputs = typename Block::Outputs;

  // All outlive this object. `cycle` is set to the number of the present cycle.
  LockstepBlock(ClockedBlock<Block>& dut, ClockedBlock<Block>& model, Scoreboard& scoreboard,
                uint64_t& cycle)
      : dut_(dut),
        model_(model),
        scoreboard_(scoreboard),
        cycle_(cycle),
        counters_(scoreboard.channel("counters_o")) {
    for (size_t i = 0; i < ready_.size(); ++i) {
      ready_[i] = &scoreboard.channel(fmt::format("{}_ready_o", Block::kInputs[i]));
    }
    for (size_t i = 0; i < valid_.size(); ++i) {
      valid_[i] = &scoreboard.channel(fmt::format("{}_valid_o", Block::kOutputs[i]));
      payload_[i] = &scoreboard.channel(fmt::format("{} payload", Block::kOutputs[i]));
    }
  }

  void reset() override {
    dut_.reset();
    model_.reset();
  }
  // Throws Mismatch after the first mismatch.
  const Outputs& step(const Inputs& inputs) override {
    const Outputs& want = model_.step(inputs);
    const Outputs& got = dut_.step(inputs);
    for (size_t i = 0; i < ready_.size(); ++i) {
      ready_[i]->compare(uint64_t{Block::ready(want, i)}, uint64_t{Block::ready(got, i)});
    }
    for (size_t i = 0; i < valid_.size(); ++i) {
      const bool valid = Block::valid(want, i);
      valid_[i]->compare(uint64_t{valid}, uint64_t{Block::valid(got, i)});
      if (!valid) continue;
      payload_[i]->expect(1);
      payload_[i]->compare(BlockPayload<Block>{i, want}, BlockPayload<Block>{i, got});
    }
    const typename Block::Counters want_counters = model_.counters();
    const typename Block::Counters got_counters = dut_.counters();
    counters_.compare(BlockStatus<Block>{want_counters}, BlockStatus<Block>{got_counters});
    ++cycle_;
    if (!scoreboard_.ok()) throw Mismatch("the block differs from its cycle model, see above");
    return got;
  }
  typename Block::Counters counters() const override { return dut_.counters(); }

  // Tells the scoreboard how many values should have been compared in `cycles` cycles.
  void expect(uint64_t cycles) {
    for (Channel* channel : ready_) channel->expect(cycles);
    for (Channel* channel : valid_) channel->expect(cycles);
    counters_.expect(cycles);
  }

 private:
  ClockedBlock<Block>& dut_;
  ClockedBlock<Block>& model_;
  Scoreboard& scoreboard_;
  uint64_t& cycle_;
  std::array<Channel*, Block::kInputs.size()> ready_;
  std::array<Channel*, Block::kOutputs.size()> valid_;
  std::array<Channel*, Block::kOutputs.size()> payload_;
  Channel& counters_;
};

}  // namespace rivulet
