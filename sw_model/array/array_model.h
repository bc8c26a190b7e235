// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_array: tiles are loaded, the codes of the replay buffer stream past them,
// results leave.
//
// A beat that enters in cycle t has updated its partial sums at the end of cycle t + latency_;
// what happens between is exact integers and one rounding, so the model computes them where they
// enter and holds them back. outputs() is what the ports show for the inputs of this cycle; clock()
// is the rising edge. Timing: docs/array.md. Arithmetic: docs/numerics.md §4 to §6.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw_model/array/code_beat.h"
#include "sw_model/array/drain_model.h"
#include "sw_model/array/pass_control_model.h"
#include "sw_model/array/psum_model.h"
#include "sw_model/array/result_queue_model.h"
#include "sw_model/array/tile_loader_model.h"
#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/interfaces/tile_load.h"

namespace rivulet {

class ArrayModel {
 public:
  struct Inputs {
    bool load_valid = false;
    const TileLoad* load = nullptr;  // never null, as pass
    bool x_valid = false;
    const Bf16* x = nullptr;  // read only with x_valid
    bool pass_valid = false;
    const TilePass* pass = nullptr;
    bool segment_valid = false;
    Segment segment;
    bool code_valid = false;
    bool factor_valid = false;
    // What was read two cycles ago: read by clock()
    const CodeBeat* code = nullptr;
    const std::array<uint16_t, 4>* factors = nullptr;
    bool y_ready = false;
  };
  // What happened in this cycle, for the counters.
  struct Events {
    bool fire = false;   // a beat of codes entered
    bool carry = false;  // columns of an empty segment entered
    Stream stream = Stream::kQ8;
    uint64_t macs = 0;  // of the units that ended
    Wait wait = Wait::kNone;
    uint64_t special = 0;
    uint64_t saturated = 0;
  };
  struct Outputs {
    bool load_ready = false;
    bool x_ready = false;
    bool pass_ready = false;
    PassControlModel::Outputs control;
    DrainModel::Outputs y;
    Events events;
  };

  explicit ArrayModel(const TileGeometry& geometry);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

  // The last column of a quad whose factor the present beat needs.
  size_t factor_column() const { return control_.factor_last(); }
  size_t latency() const { return latency_; }

 private:
  static constexpr size_t kMaxEdges = 4;

  // One beat on its way through the array.
  struct Beat {
    bool fire = false;       // it entered
    size_t columns = 0;      // that it ends
    uint64_t special = 0;    // updates with an Inf or NaN operand
    uint64_t saturated = 0;  // updates that became Inf
    Segment segment;
    TileHandover tile;
    size_t cycle = 0;        // of the unit
    size_t column = 0;       // of the segment
    size_t psum_column = 0;  // among the partial sums
    size_t quad = 0;         // of the result queue
    bool first = false;
    bool last = false;
    bool quad_end = false;
    std::array<uint16_t, 4> factors{};
    std::vector<int64_t> partials;       // [columns, positions]
    std::vector<uint8_t> row_exponents;  // [positions]
    std::vector<float> results;          // [columns, positions]
  };

  // The beat that entered `age` cycles ago.
  Beat& beat(size_t age) { return beats_[(now_ + beats_.size() - age) % beats_.size()]; }
  const Beat& beat(size_t age) const {
    return beats_[(now_ + beats_.size() - age) % beats_.size()];
  }
  TileLoaderModel::Inputs loader_inputs(const Inputs& in, bool tile_take) const;
  PassControlModel::Inputs control_inputs(const Inputs& in) const;
  void enter(const PassControlModel::Outputs& control, size_t quad);
  void feed(Beat& beat, const Inputs& in);
  void collect(const Beat& beat, const CodeBeat& code);
  void compute_partials(Beat& beat);
  void update(Beat& beat);
  void write(const Beat& beat);

  size_t lanes_;
  size_t group_;
  size_t positions_;
  size_t dot_stages_;
  size_t latency_;
  TileLoaderModel loader_;
  PassControlModel control_;
  PsumModel psum_;
  ResultQueueModel queue_;
  DrainModel drain_;
  std::vector<int16_t> unit_;  // codes of the units that are being streamed
  std::vector<Beat> beats_;    // ring, one entry a cycle
  size_t now_ = 0;
  size_t quad_ = 0;  // that the present pass fills
};

}  // namespace rivulet
