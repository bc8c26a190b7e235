// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Drives the ports of a clocked block with its traffic: offers what the input streams have next,
// and hands over what the output streams bring.
//
// Every port is held back as `stalls` says; an offer, once made, stands until it is accepted. No
// allocation per cycle. TimeOut (device_error.h) after `max_cycles`, or when no port transfers for
// `max_idle_cycles`, with the state of every handshake.

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sw_model/common/device_error.h"
#include "sw_model/interfaces/block_traffic.h"
#include "sw_model/interfaces/clocked_block.h"
#include "tb/block/block_ports.h"
#include "tb/block/block_stalls.h"

namespace rivulet {

struct BlockLimits {
  uint64_t max_cycles = 0;  // of all runs together; 0 = no limit
  uint64_t max_idle_cycles = 20'000;
};

// What stands at an input that is not offered: always the same, or something else each cycle.
enum class IdlePayload { kHold, kNoise };

template <typename Block>
class BlockDriver {
 public:
  using Traffic = BlockTraffic<Block>;

  // `block` and `stalls` outlive the driver.
  BlockDriver(ClockedBlock<Block>& block, BlockStalls& stalls, BlockLimits limits,
              IdlePayload idle_payload = IdlePayload::kHold, uint64_t noise_seed = 0)
      : block_(block),
        stalls_(stalls),
        limits_(limits),
        idle_payload_(idle_payload),
        noise_(noise_seed) {
    for (size_t input = 0; input < kIns; ++input) noise_.rest(input, inputs_);
  }

  // One cycle. An element that was offered is offered until it is accepted, so all steps until the
  // traffic is done are made with the same one.
  void step(Traffic& traffic) {
    offer(traffic);
    const Outputs& outputs = block_.step(inputs_);
    ++cycles_;
    check_progress(take(traffic, outputs), outputs);
  }
  // Cycles until the traffic is done; offers that an earlier traffic left behind are withdrawn.
  void run(Traffic& traffic) {
    withdraw();
    while (!traffic.done()) step(traffic);
  }
  void withdraw() {
    for (size_t input = 0; input < kIns; ++input) ports_[input].offering = false;
    idle_cycles_ = 0;
  }
  // Cycles without any offer; an output throws Mismatch.
  void idle(uint64_t cycles) {
    withdraw();
    for (size_t input = 0; input < kIns; ++input) Block::valid(inputs_, input) = false;
    for (uint64_t i = 0; i < cycles; ++i) {
      for (size_t input = 0; input < kIns; ++input) rest(input);
      set_readies();
      const Outputs& outputs = block_.step(inputs_);
      ++cycles_;
      for (size_t output = 0; output < kOuts; ++output) {
        if (Block::valid(outputs, output)) {
          throw Mismatch(fmt::format("cycle {}: an element of '{}' after the last one", cycles_,
                                     Block::kOutputs[output]));
        }
      }
    }
  }

  // Of all runs.
  uint64_t cycles() const { return cycles_; }

 private:
  using Inputs = typename Block::Inputs;
  using Outputs = typename Block::Outputs;
  static constexpr size_t kIns = Block::kInputs.size();
  static constexpr size_t kOuts = Block::kOutputs.size();

  struct Port {
    bool offering = false;
    uint64_t transfers = 0;
  };

  void rest(size_t input) {
    if (idle_payload_ == IdlePayload::kNoise) {
      noise_.fresh(input, inputs_);
    } else {
      noise_.rest(input, inputs_);
    }
  }
  void set_readies() {
    for (size_t output = 0; output < kOuts; ++output) {
      const PortNumber port{.index = kIns + output, .output = true};
      Block::ready(inputs_, output) = !stalls_.stalled(port, ports_[port.index].transfers);
    }
  }
  void offer(Traffic& traffic) {
    for (size_t input = 0; input < kIns; ++input) {
      Port& port = ports_[input];
      if (port.offering) continue;
      port.offering = traffic.offer(input, inputs_) &&
                      !stalls_.stalled({.index = input, .output = false}, port.transfers);
      Block::valid(inputs_, input) = port.offering;
      if (!port.offering) rest(input);
    }
    set_readies();
  }
  bool take(Traffic& traffic, const Outputs& outputs) {
    bool progress = false;
    for (size_t input = 0; input < kIns; ++input) {
      Port& port = ports_[input];
      if (!port.offering || !Block::ready(outputs, input)) continue;
      port.offering = false;
      ++port.transfers;
      traffic.accepted(input);
      progress = true;
    }
    for (size_t output = 0; output < kOuts; ++output) {
      if (!Block::valid(outputs, output) || !Block::ready(inputs_, output)) continue;
      ++ports_[kIns + output].transfers;
      traffic.arrived(output, outputs);
      progress = true;
    }
    return progress;
  }
  void check_progress(bool progress, const Outputs& outputs) {
    idle_cycles_ = progress ? 0 : idle_cycles_ + 1;
    if (limits_.max_cycles != 0 && cycles_ >= limits_.max_cycles) {
      throw TimeOut(fmt::format("TIME-OUT in cycle {}: not done within {} cycles; handshakes:{}",
                                cycles_, limits_.max_cycles, handshakes(outputs)));
    }
    if (idle_cycles_ >= limits_.max_idle_cycles) {
      throw TimeOut(
          fmt::format("TIME-OUT in cycle {}: no transfer on any port for {} cycles; handshakes:{}",
                      cycles_, idle_cycles_, handshakes(outputs)));
    }
  }
  std::string handshakes(const Outputs& outputs) {
    std::string text;
    const auto line = [&](const char* name, bool valid, bool ready, uint64_t transfers) {
      text += fmt::format("\n    {:5} valid {:d} ready {:d}, {} transferred", name, valid, ready,
                          transfers);
    };
    for (size_t i = 0; i < kIns; ++i) {
      line(Block::kInputs[i], Block::valid(inputs_, i), Block::ready(outputs, i),
           ports_[i].transfers);
    }
    for (size_t i = 0; i < kOuts; ++i) {
      line(Block::kOutputs[i], Block::valid(outputs, i), Block::ready(inputs_, i),
           ports_[kIns + i].transfers);
    }
    return text;
  }

  ClockedBlock<Block>& block_;
  BlockStalls& stalls_;
  BlockLimits limits_;
  IdlePayload idle_payload_;
  typename BlockPorts<Block>::Noise noise_;
  Inputs inputs_;
  std::array<Port, kIns + kOuts> ports_{};
  uint64_t cycles_ = 0;
  uint64_t idle_cycles_ = 0;
};

}  // namespace rivulet
