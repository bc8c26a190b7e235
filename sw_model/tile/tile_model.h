// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_tile: every ready, valid and counter of every cycle, and every payload
// that is valid, as the RTL.
//
// Made of the cycle models of its blocks; the command FIFOs and the read requests are here.
// Timing: docs/array.md and docs/converter.md. Arithmetic: docs/numerics.md.

#include <array>
#include <cstddef>
#include <cstdint>

#include "sw_model/array/array_model.h"
#include "sw_model/array/bf16_stream_model.h"
#include "sw_model/array/transpose_buffer_model.h"
#include "sw_model/converter/converter_cycle.h"
#include "sw_model/tile/clocked_tile.h"
#include "sw_model/tile/tile_geometry.h"

namespace rivulet {

// Cycle model of rivulet_fifo, Depth 2 and up: ready and valid come from registers.
template <typename T, size_t kDepth>
class FifoModel {
 public:
  bool ready() const { return size_ < kDepth; }
  bool valid() const { return size_ > 0; }
  // The oldest word; while the FIFO is empty, any word.
  const T& front() const { return words_[first_]; }
  void reset() { size_ = 0; }
  // The clock edge: what is offered is pushed if ready, the oldest word leaves if taken.
  void clock(bool push, const T& word, bool take) {
    const bool pushed = push && ready();
    if (valid() && take) {
      first_ = (first_ + 1) % kDepth;
      --size_;
    }
    if (pushed) words_[(first_ + size_++) % kDepth] = word;
  }

 private:
  std::array<T, kDepth> words_{};
  size_t first_ = 0;
  size_t size_ = 0;
};

class TileModel final : public ClockedTile {
 public:
  explicit TileModel(const Configuration& configuration);

  const Configuration& configuration() const override { return geometry_.configuration(); }
  void reset() override;
  const TileOutputs& step(const TileInputs& inputs) override;
  TileCounters counters() const override;

 private:
  // Where the codes of the active pass come from.
  enum class Source { kDirect, kTransposed, kBf16 };

  // What the blocks do to each other in one cycle.
  struct Wires {
    Source source = Source::kDirect;
    ArrayModel::Inputs array_in;
    ArrayModel::Outputs array;
    Bf16StreamModel::Inputs bf16_in;
    Bf16StreamModel::Outputs bf16;
    TransposeBufferModel::Inputs transpose_in;
    TransposeBufferModel::Outputs transpose;
    ConverterInputs converter_in;
    bool request_valid = false;
    bool request_taken = false;
    bool read_done = false;  // the last request of a pass is taken
    bool beat_taken = false;
    bool beat_last = false;
    bool pass_taken = false;
  };

  void evaluate(const TileInputs& inputs, Wires& wires);
  ReadRequest read_request() const;
  bool is_last_request() const;
  void unpack(const std::vector<uint64_t>& beat, Stream stream);
  void clock(const TileInputs& inputs, Wires& wires);
  void count(const TileInputs& inputs, const ArrayModel::Events& events);

  TileGeometry geometry_;
  // Commands, one FIFO for each block that has a part in a pass
  FifoModel<TilePass, 2> load_;
  FifoModel<TilePass, 4> array_pass_;
  FifoModel<TilePass, 2> read_;
  FifoModel<TilePass, 2> bf16_pass_;
  FifoModel<TilePass, 2> transpose_pass_;
  size_t requests_sent_ = 0;  // of the pass that is read
  struct Route {
    bool transpose = false;
    Stream stream = Stream::kQ8;
  };
  FifoModel<Route, 4> route_;  // where the beats of each request go
  ConverterCycle converter_;
  TransposeBufferModel transpose_;
  Bf16StreamModel bf16_;
  ArrayModel array_;
  CodeBeat code_;  // the beat of the converter, unpacked
  TileOutputs outputs_;
  TileCounters counters_;
};

}  // namespace rivulet
