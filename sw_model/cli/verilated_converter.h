// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// One class of verilated converter as the clock of a ClockedConverter. `Top` is made by Verilator
// from rivulet_converter.
//
// All registers start at random values drawn from the seed. A violated assertion of the RTL throws
// Mismatch. Waves: tb/waves.h.

#include <verilated.h>

#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "sw_model/cli/clocked_converter.h"
#include "sw_model/tile/device_error.h"
#include "tb/waves.h"

namespace rivulet {

// read_req_t of rtl/rivulet_pkg.sv: codes in the lowest bits, the tier in the highest.
constexpr size_t kReadRequestBits = 65;

inline std::array<uint32_t, 3> pack_read_request(const ReadRequest& read) {
  std::array<uint32_t, 3> words{};
  size_t at = 0;
  const auto put = [&](size_t bits, uint64_t value) {
    for (size_t i = 0; i < bits; ++i, ++at) {
      words[at / 32] |= static_cast<uint32_t>(value >> i & 1) << at % 32;
    }
  };
  put(32, read.codes);
  put(9, static_cast<uint64_t>(read.view.theta_n));
  put(9, static_cast<uint64_t>(read.view.theta_p));
  put(3, static_cast<uint64_t>(read.view.shift));
  put(8, static_cast<uint64_t>(read.view.clamp));
  put(1, static_cast<uint64_t>(read.view.rounding));
  put(1, static_cast<uint64_t>(read.kind));
  put(2, static_cast<uint64_t>(read.tier));
  if (at != kReadRequestBits) throw std::logic_error("read_req_t has another width");
  return words;
}

template <typename Top>
class VerilatedConverter {
 public:
  VerilatedConverter(int link_bits, const DeviceOptions& options)
      : beat_words_(static_cast<size_t>(link_bits) / 64) {
    context_.fatalOnError(false);
    context_.randReset(2);
    context_.randSeed(static_cast<int>(options.seed % 0x7FFF'FFFE) + 1);  // 0: the time of day
    waves_ = std::make_unique<Waves>(
        WaveOptions{
            .file = options.trace_file, .start = options.trace_start, .stop = options.trace_stop},
        context_);
    top_ = std::make_unique<Top>(&context_, "converter");
    constexpr int kResetCycles = 3;
    top_->clk_i = 0;
    top_->rst_ni = 0;
    for (int i = 0; i < kResetCycles; ++i) step({});
    top_->rst_ni = 1;
  }
  ~VerilatedConverter() {
    waves_.reset();
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
    waves_->before_edge(*top_, cycle_);
    top_->clk_i = 1;
    top_->eval();
    waves_->after_edge(cycle_);
    top_->clk_i = 0;
    ++cycle_;
    context_.time(10 * cycle_);
    if (context_.gotError()) throw Mismatch("an assertion of the RTL was violated, see above");
    return out;
  }

 private:
  void set(const ConverterInputs& in) {
    top_->req_valid_i = in.req_valid;
    top_->word_valid_i = in.word_valid;
    top_->beat_ready_i = in.beat_ready;
    const auto request = pack_read_request(in.req);
    static_assert(sizeof top_->req_i == sizeof request);
    std::memcpy(&top_->req_i, request.data(), sizeof request);
    if (in.word.size() == sizeof top_->word_i) {
      std::memcpy(&top_->word_i, in.word.data(), in.word.size());
    }
  }

  size_t beat_words_;
  VerilatedContext context_;
  std::unique_ptr<Waves> waves_;
  std::unique_ptr<Top> top_;
  uint64_t cycle_ = 0;
};

template <typename Top>
ClockedConverter::Step make_verilated_converter(int link_bits, const DeviceOptions& options) {
  const auto converter = std::make_shared<VerilatedConverter<Top>>(link_bits, options);
  return [converter](const ConverterInputs& in) { return converter->step(in); };
}

}  // namespace rivulet
