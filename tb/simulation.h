// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// A verilated model with its context, clock and waves.
//
// `Top` is a class made by Verilator (Debian's or the newest) with ports clk_i and rst_ni. All
// registers start at random values drawn from the seed, so that a missing reset is seen. A violated
// assertion does not abort the program: failed() tells.
//
// Order of a cycle: set inputs; settle(), outputs are valid; edge(). Waves show the inputs and what
// follows from them from time 10c on and the rising edge at 10c + 5, for cycle c.

#pragma once

#include <fmt/format.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "tb/options.h"
#include "tb/wave_file.h"

namespace rivulet {

template <typename Top>
class Simulation {
 public:
  explicit Simulation(std::uint64_t seed) {
    context_.fatalOnError(false);
    context_.traceEverOn(options().trace.has_value());
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed % 0x7fff'fffe) + 1);  // 0 would mean the time of day
    top_ = std::make_unique<Top>(&context_, "top");
    top_->clk_i = 0;
    top_->rst_ni = 0;
    wave_file_ = next_wave_file(seed);
  }
  ~Simulation() {
    close_waves();
    // Verilator takes the context of its clean-up from the thread; with several simulations
    // alive it would be that of another one.
    Verilated::threadContextp(&context_);
    top_->final();
    top_.reset();
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  Top& top() { return *top_; }
  const Top& top() const { return *top_; }
  const std::uint64_t& cycle() const { return cycle_; }
  bool failed() const { return context_.gotError(); }
  std::uint64_t number() const { return wave_file_.simulation; }

  // Evaluates the outputs for the present inputs, before the clock edge.
  void settle() { top_->eval(); }
  // The rising clock edge, and the end of the cycle.
  void edge() {
    if (options().trace) update_waves();
    dump(0);
    top_->clk_i = 1;
    top_->eval();
    dump(5);
    top_->clk_i = 0;
    ++cycle_;
  }

 private:
  void update_waves() {
    if (waves_ && cycle_ > options().trace_stop) close_waves();
    if (waves_ || cycle_ < options().trace_start || cycle_ > options().trace_stop) return;
    if constexpr (requires(Top & top, VerilatedFstC * waves) { top.trace(waves, 99); }) {
      waves_ = std::make_unique<VerilatedFstC>();
      top_->trace(waves_.get(), 99);
      waves_->open(wave_file_.name.c_str());
      if (!waves_->isOpen()) {
        throw std::runtime_error(fmt::format("cannot write waves to '{}'", wave_file_.name));
      }
    } else {
      throw std::runtime_error("--trace: this model was built without waves (FST)");
    }
  }
  void dump(unsigned phase) {
    context_.time(10 * cycle_ + phase);
    if (waves_) waves_->dump(10 * cycle_ + phase);
  }
  void close_waves() {
    if (!waves_) return;
    waves_->close();
    waves_.reset();
    fmt::print("waves: gtkwave {}\n", wave_file_.name);
  }

  VerilatedContext context_;
  std::unique_ptr<Top> top_;
  std::unique_ptr<VerilatedFstC> waves_;
  WaveFile wave_file_;
  std::uint64_t cycle_ = 0;
};

}  // namespace rivulet
