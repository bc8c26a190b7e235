// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// One class of verilated tile behind ClockedTile. `Top` is made by Verilator from rivulet_tile.
//
// A cycle: set inputs, evaluate, read the outputs, rising edge. Waves: tb/waves.h. Port access is a
// copy of the payload; nothing is allocated in a cycle.

#include <fmt/format.h>
#include <verilated.h>

#include <cstring>
#include <memory>
#include <utility>

#include "sw_model/tile/clocked_tile.h"
#include "sw_model/tile/device_error.h"
#include "tb/random.h"
#include "tb/tile/rtl_tile.h"
#include "tb/tile/tile_ports.h"
#include "tb/waves.h"

namespace rivulet {

template <typename Top>
class VerilatedTile final : public ClockedTile {
 public:
  VerilatedTile(const Configuration& configuration, RtlTileOptions options)
      : configuration_(configuration), options_(std::move(options)), random_(options_.seed) {
    context_.fatalOnError(false);
    context_.randReset(2);
    context_.randSeed(static_cast<int>(options_.seed % 0x7fff'fffe) + 1);  // 0: the time of day
    waves_ = std::make_unique<Waves>(options_.waves, context_);
    top_ = std::make_unique<Top>(&context_, "tile");
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->eval();
    check_tile_info(configuration_, read_tile_info(top_->info_o));
    reset();
  }
  ~VerilatedTile() override {
    waves_.reset();
    Verilated::threadContextp(&context_);
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

  TileCounters counters() const override { return read_tile_counters(top_->counters_o); }

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
    const auto load = in.load->pack();
    const auto read = in.read->pack();
    const auto pass = in.pass->pack();
    copy(top.load_i, load.data(), sizeof load);
    copy(top.read_i, read.data(), sizeof read);
    copy(top.pass_i, pass.data(), sizeof pass);
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
    waves_->before_edge(*top_, cycle_);
    top_->clk_i = 1;
    top_->eval();
    waves_->after_edge(cycle_);
    top_->clk_i = 0;
    ++cycle_;
    context_.time(10 * cycle_);
  }

  Configuration configuration_;
  RtlTileOptions options_;
  Random random_;
  VerilatedContext context_;
  std::unique_ptr<Waves> waves_;
  std::unique_ptr<Top> top_;
  TileOutputs outputs_;
  uint64_t cycle_ = 0;
};

template <typename Top>
std::unique_ptr<ClockedTile> make_verilated_tile(const Configuration& configuration,
                                                 const RtlTileOptions& options) {
  return std::make_unique<VerilatedTile<Top>>(configuration, options);
}

}  // namespace rivulet
