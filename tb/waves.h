// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The wave file (FST) of one simulation: the cycles of a window, complete whatever ends the run.
//
// Waves show the inputs and what follows from them from time 10c on and the rising edge at
// 10c + 5, for cycle c. The file is opened with the first cycle of the window and closed after the
// last one, or with this object (a mismatch, a time-out, an exception), or on an interrupt, which
// then ends the process. Only in programs whose models were built with waves (VM_TRACE):
// elsewhere a file name is refused by std::logic_error. A file that cannot be written throws
// std::runtime_error.

#pragma once

#include <fmt/format.h>
#include <verilated.h>
#if VM_TRACE
#include <verilated_fst_c.h>
#endif

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <utility>

#include "sw_model/common/message.h"
#include "tb/wave_options.h"
#include "tb/wave_signal.h"

namespace rivulet {

#if VM_TRACE
inline constexpr bool kTracedModels = true;
#else
inline constexpr bool kTracedModels = false;
#endif

// The two kinds have different names, so that no program can mix them.
#if VM_TRACE

class WavesWritten {
 public:
  WavesWritten(WaveOptions options, VerilatedContext& context)
      : options_(std::move(options)), wanted_(!options_.file.empty()) {
    context.traceEverOn(wanted_);
  }
  ~WavesWritten() { finish(0); }
  WavesWritten(const WavesWritten&) = delete;
  WavesWritten& operator=(const WavesWritten&) = delete;

  // Before the edge of `cycle`, with the outputs settled, and after it. Cycles come in order.
  template <typename Top>
  void before_edge(Top& top, std::uint64_t cycle) {
    if (!wanted_) return;
    if (const int signal = wave_signal(); signal != 0) {
      finish(signal);
      end_by_signal(signal);
    }
    cycles_ = cycle + 1;
    shown_ = cycle >= options_.start && cycle <= options_.stop;
    if (shown_) {
      if (!writer_) open(top);
      writer_->dump(10 * cycle);
    } else if (writer_) {
      writer_->close();
      writer_.reset();
    }
  }
  void after_edge(std::uint64_t cycle) {
    if (wanted_ && shown_) writer_->dump(10 * cycle + 5);
  }

 private:
  template <typename Top>
  void open(Top& top) {
    note_wave_signals();
    writer_ = std::make_unique<VerilatedFstC>();
    top.trace(writer_.get(), 99);
    // The writer of some Verilators calls a file open that is not.
    const bool can_write = std::ofstream(options_.file, std::ios::app).is_open();
    if (can_write) writer_->open(options_.file.c_str());
    if (!can_write || !writer_->isOpen()) {
      wanted_ = false;
      throw std::runtime_error(fmt::format("cannot write waves to '{}'", options_.file));
    }
  }
  void finish(int signal) {
    if (!wanted_) return;
    wanted_ = false;
    if (writer_) writer_->close();
    writer_.reset();
    const WaveResult result{.file = options_.file,
                            .start = options_.start,
                            .stop = options_.stop,
                            .cycles = cycles_,
                            .signal = signal};
    if (options_.on_close) {
      options_.on_close(result);
    } else {
      print_error("{}\n", wave_message(result));
    }
  }

  WaveOptions options_;
  bool wanted_;
  bool shown_ = false;
  std::uint64_t cycles_ = 0;
  std::unique_ptr<VerilatedFstC> writer_;
};
using Waves = WavesWritten;

#else

class NoWaves {
 public:
  NoWaves(const WaveOptions& options, VerilatedContext&) {
    if (!options.file.empty()) throw std::logic_error("this model was built without waves");
  }
  template <typename Top>
  void before_edge(Top&, std::uint64_t) {}
  void after_edge(std::uint64_t) {}
};
using Waves = NoWaves;

#endif

}  // namespace rivulet
