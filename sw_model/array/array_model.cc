// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/array_model.h"

#include <algorithm>

#include "sw_model/numerics/accumulate.h"
#include "sw_model/numerics/align.h"
#include "sw_model/numerics/gemm.h"

namespace rivulet {
namespace {

// Exact in 32 bits: 128 lanes of 16-bit integers times 8-bit codes.
int32_t code_partial(const int16_t* aligned, const int16_t* codes, size_t lanes) {
  int32_t sum = 0;
  for (size_t i = 0; i < lanes; ++i) sum += int32_t{aligned[i]} * codes[i];
  return sum;
}

// Levels of a tree that adds three numbers at a time.
size_t tree_levels(size_t inputs) {
  size_t levels = 0;
  for (; inputs > 1; inputs = (inputs + 2) / 3) ++levels;
  return levels;
}

}  // namespace

ArrayModel::ArrayModel(const TileGeometry& geometry)
    : lanes_(geometry.lanes()),
      group_(geometry.group()),
      positions_(geometry.positions()),
      dot_stages_(tree_levels(lanes_ / 2) + 4),
      latency_(1 + dot_stages_ + kEdgeStages),
      loader_(positions_, group_, kLoadPairs),
      control_(geometry, kHazardUnits),
      psum_(positions_, geometry.psum_depth()),
      drain_(psum_, geometry.edges()),
      unit_(std::max(group_, kMaxEdges * lanes_)),
      beats_(latency_ + 2) {
  for (Beat& b : beats_) {
    b.partials.resize(kMaxEdges * positions_);
    b.row_exponents.resize(positions_);
    b.results.resize(kMaxEdges * positions_);
  }
  reset();
}

void ArrayModel::reset() {
  loader_.reset();
  control_.reset();
  drain_.reset();
  for (Beat& b : beats_) {
    b.valid = b.last = false;
    b.columns = b.special = b.saturated = 0;
  }
  beats_in_flight_ = 0;
  job_pending_ = {};
}

TileLoaderModel::Inputs ArrayModel::loader_inputs(const Inputs& in, bool tile_take) const {
  return {.job_valid = in.load_valid,
          .job_rows = in.load->rows,
          .job_lanes = in.load->lanes,
          .job_align_w = in.load->align_w,
          .x_valid = in.x_valid,
          .x = in.x,
          .tile_take = tile_take};
}

PassControlModel::Inputs ArrayModel::control_inputs(const Inputs& in,
                                                    const DrainModel::Outputs& y) const {
  PassControlModel::Inputs control{.pass_valid = in.pass_valid,
                                   .pass = in.pass,
                                   .in_flight = in_flight(),
                                   .drain_done = y.done,
                                   .drain_done_half = y.done_half,
                                   .code_valid = in.code_valid,
                                   .scale_valid = in.scale_valid};
  control.tile_ready = loader_.outputs(loader_inputs(in, false)).tile_ready;
  control.tile_bank = loader_.bank();
  control.tile_rows = loader_.next_rows();
  control.tile_align_w = loader_.next_align_w();
  return control;
}

DrainModel::Inputs ArrayModel::drain_inputs(const Inputs& in) const {
  const size_t half = job_pending_[1] ? 1 : 0;
  return {
      .job_valid = job_pending_[0] || job_pending_[1], .job = job_[half], .y_ready = in.y_ready};
}

ArrayModel::Outputs ArrayModel::outputs(const Inputs& in) const {
  Outputs out;
  out.y = drain_.outputs(drain_inputs(in));
  const PassControlModel::Outputs control = control_.outputs(control_inputs(in, out.y));
  const TileLoaderModel::Outputs loader = loader_.outputs(loader_inputs(in, control.tile_take));
  out.load_ready = loader.job_ready;
  out.x_ready = loader.x_ready;
  out.pass_ready = control.pass_ready;
  out.code_ready = control.code_ready;
  out.scale_ready = control.scale_ready;
  out.events.fire = control.fire;
  out.events.stream = control_.pass().stream;
  if (control.fire && control.done) {
    out.events.macs =
        control.columns * static_cast<size_t>(control_.pass().lanes) * control_.rows();
  }
  out.events.wait_tile = control.wait_tile;
  out.events.wait_psum = control.wait_psum;
  out.events.stall_code = control.stall_code;
  out.events.stall_scale = control.stall_scale;
  out.events.special = beat(1 + dot_stages_).special;
  out.events.saturated = beat(latency_).saturated;
  return out;
}

// Adds the codes of a beat to the units that are being streamed.
void ArrayModel::collect(const CodeBeat& code) {
  const Stream stream = control_.pass().stream;
  const size_t count = beat_codes(stream, lanes_);
  if (stream != Stream::kBf16) {
    std::copy_n(code.codes.begin(), count, unit_.data() + control_.cycle() * count);
    return;
  }
  const bool high = control_.cycle() % 2 == 1;
  int16_t* target = unit_.data() + control_.cycle() / 2 * count;
  for (size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<uint8_t>(code.codes[i]);
    target[i] = static_cast<int16_t>(high ? (target[i] & 0xFF) | (byte << 8) : byte);
  }
}

void ArrayModel::compute_partials(Beat& b) {
  const StationaryTile& tile = loader_.tile(control_.bank());
  // Lanes that were streamed; beyond the loaded ones the tile is zero.
  const size_t streamed =
      (control_.cycle() + 1) * beat_codes(control_.pass().stream, lanes_) / (b.bf16 ? 2 : 1);
  const size_t lanes = std::min(streamed, group_);
  for (size_t r = 0; r < b.rows; ++r) b.row_exponents[r] = tile.exponents[r];
  for (size_t c = 0; c < b.columns; ++c) {
    const int16_t* codes = unit_.data() + c * group_;
    for (size_t r = 0; r < b.rows; ++r) {
      b.partials[c * positions_ + r] = b.bf16 ? group_partial(tile.row(r), codes, lanes)
                                              : code_partial(tile.row(r), codes, lanes);
    }
    const bool special_unit =
        b.bf16 ? b.exponent == kGroupExponentSpecial : b.scales[(b.column + c) % 4].is_special();
    for (size_t r = 0; r < b.rows; ++r) {
      b.special += special_unit || b.row_exponents[r] == kGroupExponentSpecial ? 1 : 0;
    }
  }
}

// What the beat of this cycle starts; called at its end.
void ArrayModel::enter(const Inputs& in, const PassControlModel::Outputs& control) {
  Beat& b = beat(0);
  b.valid = control.fire;
  b.last = control.last;
  b.columns = control.fire && control.done ? control.columns : 0;
  b.special = b.saturated = 0;
  if (!control.fire) return;
  ++beats_in_flight_;
  collect(*in.code);
  if (b.columns == 0) return;
  const TilePass& pass = control_.pass();
  b.half = control_.half();
  b.column = control_.column();
  b.rows = control_.rows();
  b.first = pass.first;
  b.bf16 = pass.stream == Stream::kBf16;
  b.align_w = control_.align_w();
  b.exponent = in.code->exponent;
  for (size_t i = 0; i < b.scales.size(); ++i) {
    b.scales[i].bits = static_cast<uint16_t>(in.scale >> (16 * i));
  }
  compute_partials(b);
  if (b.last) {
    job_[b.half] = {.half = b.half, .units = static_cast<size_t>(pass.columns), .rows = b.rows};
  }
}

// The new partial sums of a beat.
void ArrayModel::update(Beat& b) {
  AccumulateCounts counts;
  for (size_t c = 0; c < b.columns; ++c) {
    for (size_t r = 0; r < b.rows; ++r) {
      const size_t i = c * positions_ + r;
      const float acc = b.first ? 0.0F : psum_.at(b.half, b.column + c, r);
      b.results[i] = b.bf16 ? accumulate_aligned(acc, b.partials[i], b.row_exponents[r], b.exponent,
                                                 b.align_w, counts)
                            : accumulate(acc, b.partials[i], b.scales[(b.column + c) % 4],
                                         b.row_exponents[r], b.align_w, counts);
    }
  }
  b.saturated = counts.saturated;
}

void ArrayModel::write(const Beat& b) {
  for (size_t c = 0; c < b.columns; ++c) {
    for (size_t r = 0; r < b.rows; ++r) {
      psum_.at(b.half, b.column + c, r) = b.results[c * positions_ + r];
    }
  }
}

void ArrayModel::clock(const Inputs& in) {
  const DrainModel::Inputs drain_in = drain_inputs(in);
  const DrainModel::Outputs y = drain_.outputs(drain_in);
  const PassControlModel::Inputs control_in = control_inputs(in, y);
  const PassControlModel::Outputs control = control_.outputs(control_in);

  drain_.clock(drain_in);
  if (drain_in.job_valid && y.job_ready) job_pending_[drain_in.job.half] = false;
  const Beat& written = beat(latency_);
  if (written.valid) {
    --beats_in_flight_;
    write(written);
    if (written.last) job_pending_[written.half] = true;
  }
  update(beat(latency_ - 1));
  enter(in, control);
  control_.clock(control_in);
  loader_.clock(loader_inputs(in, control.tile_take));
  ++now_;
}

}  // namespace rivulet
