// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// A verilated module with its context, clock and waves.
//
// `Top` is a class made by Verilator (Debian's or the newest) with the port clk_i and perhaps
// rst_ni. All registers start at random values drawn from the seed, so that a missing reset is
// seen. A violated assertion does not abort the program: failed() tells.
//
// Order of a cycle: set inputs; settle(), outputs are valid; edge(). Waves: waves.h.

#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>

#include "tb/waves.h"

namespace rivulet {

template <typename Top>
class VerilatedModel {
 public:
  explicit VerilatedModel(std::uint64_t seed, const WaveOptions& waves = {}) {
    context_.fatalOnError(false);
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed % 0x7fff'fffe) + 1);  // 0 would mean the time of day
    waves_ = std::make_unique<Waves>(waves, context_);
    top_ = std::make_unique<Top>(&context_, "top");
    top_->clk_i = 0;
    if constexpr (requires(Top & top) { top.rst_ni; }) top_->rst_ni = 0;
  }
  ~VerilatedModel() {
    waves_.reset();
    // Verilator takes the context of its clean-up from the thread; with several simulations
    // alive it would be that of another one.
    Verilated::threadContextp(&context_);
    top_->final();
    top_.reset();
  }
  VerilatedModel(const VerilatedModel&) = delete;
  VerilatedModel& operator=(const VerilatedModel&) = delete;

  Top& top() { return *top_; }
  const Top& top() const { return *top_; }
  const std::uint64_t& cycle() const { return cycle_; }
  bool failed() const { return context_.gotError(); }

  // Evaluates the outputs for the present inputs, before the clock edge.
  void settle() { top_->eval(); }
  // The rising clock edge, and the end of the cycle.
  void edge() {
    context_.time(10 * cycle_);
    waves_->before_edge(*top_, cycle_);
    top_->clk_i = 1;
    top_->eval();
    context_.time(10 * cycle_ + 5);
    waves_->after_edge(cycle_);
    top_->clk_i = 0;
    ++cycle_;
  }

 private:
  VerilatedContext context_;
  std::unique_ptr<Waves> waves_;
  std::unique_ptr<Top> top_;
  std::uint64_t cycle_ = 0;
};

}  // namespace rivulet
