// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// One class of verilated tile behind ClockedTile. `Top` is made by Verilator from rivulet_tile.
//
// A cycle: set inputs, evaluate, read the outputs, rising edge. Waves show inputs and what follows
// from them from time 10c on and the edge at 10c + 5, for cycle c. Port access is a copy of the
// payload; nothing is allocated in a cycle.

#include <fmt/format.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "sw_model/common/device_error.h"
#include "sw_model/tile/clocked_tile.h"
#include "tb/random.h"
#include "tb/tile/rtl_tile.h"
#include "tb/wire_port.h"

namespace rivulet {

template <typename Top>
class VerilatedTile final : public ClockedTile {
 public:
  VerilatedTile(const Configuration& configuration, RtlTileOptions options)
      : configuration_(configuration), options_(std::move(options)), random_(options_.seed) {
    context_.fatalOnError(false);
    context_.traceEverOn(!options_.trace_file.empty());
    context_.randReset(2);
    context_.randSeed(static_cast<int>(options_.seed % 0x7fff'fffe) + 1);  // 0: the time of day
    top_ = std::make_unique<Top>(&context_, "tile");
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->eval();
    check_tile_info(configuration_, read_struct<wire::TileInfo>(top_->info_o));
    reset();
  }
  ~VerilatedTile() override {
    if (waves_) waves_->close();
    top_->final();
  }
  VerilatedTile(const VerilatedTile&) = delete;
  VerilatedTile& operator=(const VerilatedTile&) = delete;

  const Configuration& configuration() const override { return configuration_; }

  void reset() override {
    constexpr int kCycles = 3;
    top_->rst_ni = 0;
    for (int i = 0; i < kCycles; ++i) {
      top_->load_valid_i = random_.chance(0.5);
      top_->read_valid_i = random_.chance(0.5);
      top_->pass_valid_i = random_.chance(0.5);
      top_->x_valid_i = random_.chance(0.5);
      top_->word_valid_i = random_.chance(0.5);
      top_->w_valid_i = random_.chance(0.5);
      top_->scale_valid_i = random_.chance(0.5);
      top_->y_ready_i = random_.chance(0.5);
      top_->eval();
      edge();
    }
    top_->rst_ni = 1;
  }

  const TileOutputs& step(const TileInputs& inputs) override {
    set(inputs);
    top_->eval();
    get();
    edge();
    if (context_.gotError()) {
      throw Mismatch(
          fmt::format("cycle {}: an assertion of the RTL was violated, see above", cycle_));
    }
    return outputs_;
  }

  TileCounters counters() const override { return read_struct<TileCounters>(top_->counters_o); }

 private:
  template <typename Port>
  static void copy(Port& port, const void* source, size_t bytes) {
    static_assert(std::is_trivially_copyable_v<Port>);
    std::memcpy(&port, source, bytes);
  }
  static bool bit(CData value) { return value != 0; }

  void set(const TileInputs& in) {
    Top& top = *top_;
    const auto valid = [&in](TileStream stream) { return in.valid[static_cast<size_t>(stream)]; };
    top.load_valid_i = valid(TileStream::kLoad);
    top.read_valid_i = valid(TileStream::kRead);
    top.pass_valid_i = valid(TileStream::kPass);
    top.x_valid_i = valid(TileStream::kX);
    top.word_valid_i = valid(TileStream::kWord);
    top.w_valid_i = valid(TileStream::kW);
    top.scale_valid_i = valid(TileStream::kScale);
    top.y_ready_i = in.y_ready;
    write_struct(top.load_i, to_wire(*in.load));
    write_struct(top.read_i, to_wire(*in.read));
    write_struct(top.pass_i, to_wire(*in.pass));
    copy(top.x_i, in.x, sizeof top.x_i);
    copy(top.word_i, in.word, sizeof top.word_i);
    copy(top.w_i, in.w, sizeof top.w_i);
    top.scale_i = in.scale;
  }
  void get() {
    const Top& top = *top_;
    outputs_.ready = {bit(top.load_ready_o), bit(top.read_ready_o), bit(top.pass_ready_o),
                      bit(top.x_ready_o),    bit(top.word_ready_o), bit(top.w_ready_o),
                      bit(top.scale_ready_o)};
    outputs_.y_valid = bit(top.y_valid_o);
    outputs_.y_last = bit(top.y_last_o);
    static_assert(sizeof top.y_o <= sizeof outputs_.y && sizeof top.acc_o <= sizeof outputs_.acc);
    std::memcpy(outputs_.y.data(), &top.y_o, sizeof top.y_o);
    std::memcpy(outputs_.acc.data(), &top.acc_o, sizeof top.acc_o);
  }
  // The rising edge, and the end of the cycle.
  void edge() {
    const bool traced = !options_.trace_file.empty() && update_waves();
    if (traced) waves_->dump(10 * cycle_);
    top_->clk_i = 1;
    top_->eval();
    if (traced) waves_->dump(10 * cycle_ + 5);
    top_->clk_i = 0;
    ++cycle_;
    context_.time(10 * cycle_);
  }
  // Opens and closes the waves; whether this cycle is shown.
  bool update_waves() {
    const bool shown = cycle_ >= options_.trace_start && cycle_ <= options_.trace_stop;
    if (shown && !waves_) open_waves();
    return shown;
  }
  void open_waves() {
    if constexpr (requires(Top & top, VerilatedFstC * waves) { top.trace(waves, 99); }) {
      waves_ = std::make_unique<VerilatedFstC>();
      top_->trace(waves_.get(), 99);
      waves_->open(options_.trace_file.c_str());
      if (!waves_->isOpen()) {
        throw std::runtime_error(fmt::format("cannot write waves to '{}'", options_.trace_file));
      }
    } else {
      throw std::runtime_error("this model of the tile was built without waves (FST)");
    }
  }

  Configuration configuration_;
  RtlTileOptions options_;
  Random random_;
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
  std::unique_ptr<VerilatedFstC> waves_;
  TileOutputs outputs_;
  uint64_t cycle_ = 0;
};

template <typename Top>
std::unique_ptr<ClockedTile> make_verilated_tile(const Configuration& configuration,
                                                 const RtlTileOptions& options) {
  return std::make_unique<VerilatedTile<Top>>(configuration, options);
}

}  // namespace rivulet
