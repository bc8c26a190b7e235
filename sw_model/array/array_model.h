// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_array: tiles are loaded, codes stream past them, sums leave.
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
#include "sw_model/array/tile_loader_model.h"
#include "sw_model/tile/tile_geometry.h"

namespace rivulet {

class ArrayModel {
 public:
  struct Inputs {
    bool load_valid = false;
    const TilePass* load = nullptr;  // never null, as pass
    bool x_valid = false;
    const Bf16* x = nullptr;  // four; read only with x_valid
    bool pass_valid = false;
    const TilePass* pass = nullptr;
    bool code_valid = false;
    const CodeBeat* code = nullptr;  // read by clock() if the beat enters
    bool scale_valid = false;
    uint64_t scale = 0;
    bool y_ready = false;
  };
  // What happened in this cycle, for the counters.
  struct Events {
    bool fire = false;  // a beat entered
    Stream stream = Stream::kQ8;
    uint64_t macs = 0;  // of the units that it ended
    bool wait_tile = false;
    bool wait_psum = false;
    bool stall_code = false;
    bool stall_scale = false;
    uint64_t special = 0;
    uint64_t saturated = 0;
  };
  struct Outputs {
    bool load_ready = false;
    bool x_ready = false;
    bool pass_ready = false;
    bool code_ready = false;
    bool scale_ready = false;
    DrainModel::Outputs y;
    Events events;
  };

  explicit ArrayModel(const TileGeometry& geometry);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

  // The pass whose codes are taken now.
  const TilePass& active_pass() const { return control_.pass(); }

 private:
  static constexpr size_t kMaxEdges = 4;
  static constexpr size_t kHazardUnits = 32;
  static constexpr size_t kLoadPairs = 4;
  static constexpr size_t kEdgeStages = 7;

  // One beat on its way through the array.
  struct Beat {
    bool valid = false;
    bool last = false;       // it closes `half`
    size_t columns = 0;      // units that it ends
    uint64_t special = 0;    // updates with an Inf or NaN operand
    uint64_t saturated = 0;  // updates that became Inf
    size_t half = 0;
    size_t column = 0;
    size_t rows = 0;
    bool first = false;
    bool bf16 = false;
    int align_w = 0;
    uint8_t exponent = 0;                // of a BF16 unit
    std::array<Bf16, 4> scales{};        // of columns 4n to 4n + 3
    std::vector<int64_t> partials;       // [columns, positions]
    std::vector<uint8_t> row_exponents;  // [positions]
    std::vector<float> results;          // [columns, positions]
  };

  // The beat that entered `age` cycles ago.
  Beat& beat(size_t age) { return beats_[(now_ + beats_.size() - age) % beats_.size()]; }
  const Beat& beat(size_t age) const {
    return beats_[(now_ + beats_.size() - age) % beats_.size()];
  }
  bool in_flight() const { return beats_in_flight_ != 0; }
  TileLoaderModel::Inputs loader_inputs(const Inputs& in, bool tile_take) const;
  PassControlModel::Inputs control_inputs(const Inputs& in, const DrainModel::Outputs& y) const;
  DrainModel::Inputs drain_inputs(const Inputs& in) const;
  void collect(const CodeBeat& code);
  void enter(const Inputs& in, const PassControlModel::Outputs& control);
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
  DrainModel drain_;
  std::vector<int16_t> unit_;  // codes of the units that are being streamed
  std::vector<Beat> beats_;    // ring, one entry a cycle
  size_t now_ = 0;
  size_t beats_in_flight_ = 0;
  std::array<DrainModel::Job, 2> job_;  // per half
  std::array<bool, 2> job_pending_{};
};

}  // namespace rivulet
