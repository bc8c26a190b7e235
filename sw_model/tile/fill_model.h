// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_fill: reads become segments of the replay buffer.
//
// Made of the cycle models of its blocks; the command FIFOs, the read requests and the routes are
// here. outputs() is what the ports show for the inputs of this cycle; clock() is the rising edge.
// Timing: docs/array.md and docs/converter.md.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw_model/array/bf16_stream_model.h"
#include "sw_model/array/code_beat.h"
#include "sw_model/array/fifo_model.h"
#include "sw_model/array/transpose_buffer_model.h"
#include "sw_model/converter/converter_cycle.h"
#include "sw_model/interfaces/segment.h"
#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/interfaces/tile_read.h"
#include "sw_model/tile/value_route_model.h"

namespace rivulet {

class FillModel {
 public:
  // Pointers are never null; payloads are read only with their valid.
  struct Inputs {
    bool read_valid = false;
    const TileRead* read = nullptr;
    bool word_valid = false;
    const int8_t* word = nullptr;
    bool w_valid = false;
    const Bf16* w = nullptr;
    bool seg_ready = false;
    bool beat_ready = false;
    BeatSource source = BeatSource::kDirect;  // of the segment that is filled
  };
  struct Outputs {
    bool read_ready = false;
    bool word_ready = false;
    bool w_ready = false;
    bool seg_valid = false;
    const FillSegment* seg = nullptr;
    bool beat_valid = false;
    bool side_last = false;  // transposed: last beat of the segment
    bool unit_last = false;  // BF16: last beat of its unit
  };

  explicit FillModel(const TileGeometry& geometry);

  void reset();
  Outputs outputs(const Inputs& inputs);
  // The beat of outputs(), unpacked; only with beat_valid.
  const CodeBeat* beat(BeatSource source);
  void clock(const Inputs& inputs);
  ConverterCounters counters() const { return converter_.evaluate({}).counters; }

 private:
  // Where the beats of a request go.
  struct Route {
    bool transpose = false;
    Stream stream = Stream::kQ8;
    size_t parts = 0;   // of side lanes that its last beat fills
    bool last = false;  // request of its read
  };
  // What the blocks do to each other in one cycle.
  struct Wires {
    ConverterInputs converter_in;
    ConverterOutputs converter;
    TransposeBufferModel::Inputs turn_in;
    TransposeBufferModel::Outputs turn;
    Bf16StreamModel::Inputs stream_in;
    Bf16StreamModel::Outputs stream;
    bool turn_in_last = false;
    bool units_last = false;
    bool narrow_taken = false;  // a part of the converter's beat
    bool narrow_last = false;   // the last one of that beat
    bool request_taken = false;
  };

  FillSegment segment_of(const TileRead& read) const;
  ReadRequest request() const;
  bool last_request() const;
  Route route() const;
  void evaluate(const Inputs& inputs);

  TileGeometry geometry_;
  size_t group_;
  size_t lanes_;
  size_t side_lanes_;
  FifoModel<FillSegment, 4> segments_;
  FifoModel<TileRead, 4> requests_;
  FifoModel<TileRead, 4> turns_;
  FifoModel<TileRead, 4> streams_;
  FifoModel<Route, 4> route_;
  FifoModel<bool, 8> turn_in_bf16_;
  FifoModel<Stream, 8> turn_out_;  // streams of the reads that go out
  FifoModel<bool, 8> stream_turned_;
  size_t requests_sent_ = 0;  // of the read
  size_t part_ = 0;           // of the converter's beat that leaves next
  ConverterCycle converter_;
  ValueRouteModel values_;
  TransposeBufferModel turn_;
  Bf16StreamModel stream_;
  Wires wires_;
  Outputs outputs_;
  CodeBeat beat_;
};

}  // namespace rivulet
