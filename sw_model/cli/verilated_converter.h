// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// One class of verilated converter as the clock of a ClockedConverter. `Top` is made by Verilator
// from rivulet_converter.
//
// All registers start at random values drawn from the seed. A violated assertion of the RTL throws
// Mismatch, waves that cannot be written std::invalid_argument.

#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstring>
#include <memory>
#include <stdexcept>

#include "sw_model/cli/clocked_converter.h"
#include "sw_model/common/device_error.h"
#include "tb/wire_port.h"

namespace rivulet {

template <typename Top>
class VerilatedConverter {
 public:
  VerilatedConverter(int link_bits, const DeviceOptions& options)
      : beat_words_(static_cast<size_t>(link_bits) / 64) {
    context_.fatalOnError(false);
    context_.traceEverOn(!options.trace_file.empty());
    context_.randReset(2);
    context_.randSeed(static_cast<int>(options.seed % 0x7FFF'FFFE) + 1);  // 0: the time of day
    top_ = std::make_unique<Top>(&context_, "converter");
    if (!options.trace_file.empty()) {
      top_->trace(&waves_, 99);
      waves_.open(options.trace_file.c_str());
      if (!waves_.isOpen()) {
        throw std::invalid_argument(options.trace_file + ": waves cannot be written");
      }
    }
    constexpr int kResetCycles = 3;
    top_->clk_i = 0;
    top_->rst_ni = 0;
    for (int i = 0; i < kResetCycles; ++i) step({});
    top_->rst_ni = 1;
  }
  ~VerilatedConverter() {
    if (waves_.isOpen()) waves_.close();
    top_->final();
  }
  VerilatedConverter(const VerilatedConverter&) = delete;
  VerilatedConverter& operator=(const VerilatedConverter&) = delete;

  ConverterOutputs step(const ConverterInputs& in) {
    set(in);
    top_->eval();
    ConverterOutputs out;
    out.req_ready = top_->req_ready_o != 0;
    out.word_ready = top_->word_ready_o != 0;
    out.beat_valid = top_->beat_valid_o != 0;
    out.beat_last = top_->beat_last_o != 0;
    out.beat.resize(beat_words_);
    static_assert(sizeof top_->beat_o % sizeof(uint64_t) == 0);
    std::memcpy(out.beat.data(), &top_->beat_o, sizeof top_->beat_o);
    dump();
    top_->clk_i = 1;
    top_->eval();
    dump();
    top_->clk_i = 0;
    if (context_.gotError()) throw Mismatch("an assertion of the RTL was violated, see above");
    return out;
  }

 private:
  void set(const ConverterInputs& in) {
    top_->req_valid_i = in.req_valid;
    top_->word_valid_i = in.word_valid;
    top_->beat_ready_i = in.beat_ready;
    write_struct(top_->req_i, to_wire(in.req));
    if (in.word.size() == sizeof top_->word_i) {
      std::memcpy(&top_->word_i, in.word.data(), in.word.size());
    }
  }
  void dump() {
    constexpr uint64_t kHalfPeriod = 5;
    if (waves_.isOpen()) waves_.dump(time_);
    context_.time(time_ += kHalfPeriod);
  }

  size_t beat_words_;
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
  VerilatedFstC waves_;
  uint64_t time_ = 0;
};

template <typename Top>
ClockedConverter::Step make_verilated_converter(int link_bits, const DeviceOptions& options) {
  const auto converter = std::make_shared<VerilatedConverter<Top>>(link_bits, options);
  return [converter](const ConverterInputs& in) { return converter->step(in); };
}

}  // namespace rivulet
