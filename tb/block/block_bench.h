// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Bench of a clocked block: the block beside its cycle model, every output in every cycle, driven
// by a traffic that compares the results.
//
//   BlockBench<FooBlock> bench("foo", verilated<FooBlock, Vfoo>(), std::make_unique<FooModel>(),
//                              {.in = 0.3, .out = 0.3}, seed);
//   FooTraffic traffic(bench.scoreboard().channel("results"), ...);
//   bench.run(traffic);
//   EXPECT_TRUE(bench.finish());
//
// Idle inputs carry noise. One bench is one simulation: traffics follow each other without a reset.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tb/block/block_driver.h"
#include "tb/block/lockstep_block.h"
#include "tb/block/verilated_block.h"
#include "tb/options.h"
#include "tb/report.h"
#include "tb/scoreboard.h"
#include "tb/wave_ticket.h"

namespace rivulet {

// Makes the block under test.
template <typename Block>
using MakeBlock =
    std::function<std::unique_ptr<ClockedBlock<Block>>(uint64_t seed, const WaveOptions& waves)>;

template <typename Block, typename Top>
MakeBlock<Block> verilated() {
  return [](uint64_t seed, const WaveOptions& waves) {
    return std::make_unique<VerilatedBlock<Block, Top>>(seed, waves);
  };
}

template <typename Block>
class BlockBench {
 public:
  using Make = MakeBlock<Block>;
  using Pointer = std::unique_ptr<ClockedBlock<Block>>;
  using Traffic = BlockTraffic<Block>;

  // Probabilities, which --stall-in and --stall-out override.
  struct Stalls {
    double in = 0;
    double out = 0;
  };

  BlockBench(std::string name, const Make& dut, Pointer model, Stalls stalls, uint64_t seed,
             BlockLimits limits = {.max_idle_cycles = 3000})
      : BlockBench(std::move(name), dut, std::move(model),
                   port_stalls(Stall::random(stalls.in), Stall::random(stalls.out)), seed, limits) {
  }
  // One stall for each port, inputs first.
  BlockBench(std::string name, const Make& dut, Pointer model, std::vector<Stall> stalls,
             uint64_t seed, BlockLimits limits = {.max_idle_cycles = 3000})
      : ticket_(seed),
        scoreboard_({.name = std::move(name),
                     .seed = seed,
                     .cycle = &cycle_,
                     .simulation = ticket_.number()}),
        dut_(dut(seed, ticket_.waves())),
        model_(std::move(model)),
        lockstep_(*dut_, *model_, scoreboard_, cycle_),
        stalls_(std::move(stalls), seed),
        driver_(lockstep_, stalls_, with_options(limits), IdlePayload::kNoise, seed) {}

  // The same for all inputs, and for all outputs.
  static std::vector<Stall> port_stalls(const Stall& in, const Stall& out) {
    std::vector<Stall> stalls(Block::kInputs.size(), stall_in_or(in));
    stalls.resize(Block::kInputs.size() + Block::kOutputs.size(), stall_out_or(out));
    return stalls;
  }

  // Returns false after a mismatch or a time-out.
  bool run(Traffic& traffic) {
    return guarded([&] { driver_.run(traffic); });
  }
  // So many cycles of the traffic, which may not be done by then; then a reset.
  bool run_and_reset(Traffic& traffic, uint64_t cycles) {
    return guarded([&] {
      driver_.withdraw();
      for (uint64_t i = 0; i < cycles && !traffic.done(); ++i) driver_.step(traffic);
      lockstep_.reset();
    });
  }
  // Cycles without any offer, in which nothing may come.
  bool idle(uint64_t cycles) {
    return guarded([&] { driver_.idle(cycles); });
  }
  // Idle cycles, the counts of the scoreboard, the report. True if all was as expected.
  bool finish(uint64_t idle_cycles = 50) {
    idle(idle_cycles);
    lockstep_.expect(cycle_);
    report().add_simulation(cycle_);
    return scoreboard_.finish();
  }

  Scoreboard& scoreboard() { return scoreboard_; }
  uint64_t cycle() const { return cycle_; }
  typename Block::Counters counters() const { return dut_->counters(); }

 private:
  static BlockLimits with_options(BlockLimits limits) {
    limits.max_cycles = options().max_cycles.value_or(limits.max_cycles);
    return limits;
  }
  template <typename Action>
  bool guarded(Action&& action) {
    if (!scoreboard_.ok()) return false;
    try {
      action();
    } catch (const TimeOut& error) {
      report().set_timed_out();
      scoreboard_.error(error.what());
    } catch (const Mismatch& error) {
      scoreboard_.error(error.what());
    }
    return scoreboard_.ok();
  }

  WaveTicket ticket_;
  uint64_t cycle_ = 0;
  Scoreboard scoreboard_;
  Pointer dut_;
  Pointer model_;
  LockstepBlock<Block> lockstep_;
  PortStalls stalls_;
  BlockDriver<Block> driver_;
};

}  // namespace rivulet
