// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/array_model.h"

#include <algorithm>

#include "sw_model/interfaces/array_timing.h"
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

}  // namespace

ArrayModel::ArrayModel(const TileGeometry& geometry)
    : lanes_(geometry.lanes()),
      group_(geometry.group()),
      positions_(geometry.positions()),
      dot_stages_(dot_stages(lanes_)),
      latency_(kLookupDelay + dot_stages_ + kEdgeStages),
      loader_({.positions = positions_,
               .group = group_,
               .x_values = static_cast<size_t>(geometry.configuration().x_values),
               .build_pairs = static_cast<size_t>(geometry.configuration().load_pairs),
               .lookup_delay = kLookupDelay}),
      control_(geometry, kEdgeDistance - 1),
      psum_(positions_, geometry.psum_depth()),
      queue_(positions_, static_cast<size_t>(geometry.configuration().result_depth)),
      drain_(queue_, geometry.edges(), static_cast<size_t>(geometry.configuration().y_rows)),
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
    b.fire = b.quad_end = false;
    b.columns = b.special = b.saturated = 0;
  }
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

PassControlModel::Inputs ArrayModel::control_inputs(const Inputs& in) const {
  const StationaryTile& tile = loader_.next_tile();
  return {.pass_valid = in.pass_valid,
          .pass = in.pass,
          .tile_ready = loader_.outputs(loader_inputs(in, false)).tile_ready,
          .tile = {.bank = loader_.bank(),
                   .rows = tile.rows,
                   .lanes = tile.lanes,
                   .align_w = tile.align_w},
          .segment_valid = in.segment_valid,
          .segment = in.segment,
          .code_valid = in.code_valid,
          .factor_valid = in.factor_valid,
          .quad_ready = drain_.outputs().alloc_ready};
}

ArrayModel::Outputs ArrayModel::outputs(const Inputs& in) const {
  Outputs out;
  out.y = drain_.outputs();
  out.control = control_.outputs(control_inputs(in));
  const TileLoaderModel::Outputs loader = loader_.outputs(loader_inputs(in, out.control.tile_take));
  out.load_ready = loader.job_ready;
  out.x_ready = loader.x_ready;
  out.pass_ready = out.control.pass_ready;
  out.events.fire = out.control.code_read;
  out.events.carry = out.control.fire && control_.segment().empty;
  out.events.stream = control_.segment().stream;
  if (out.control.code_read && out.control.done) {
    out.events.macs = out.control.columns * control_.tile().lanes * control_.tile().rows;
  }
  out.events.wait = out.control.wait;
  out.events.special = beat(kLookupDelay + dot_stages_).special;
  out.events.saturated = beat(latency_).saturated;
  return out;
}

// The beat of this cycle; called at its end.
void ArrayModel::enter(const PassControlModel::Outputs& control, size_t quad) {
  Beat& b = beat(0);
  b.fire = control.fire;
  b.columns = control.fire && control.done ? control.columns : 0;
  b.special = b.saturated = 0;
  b.quad_end = false;
  if (!control.fire) return;
  if (control.quad_valid) quad_ = quad;
  b.segment = control_.segment();
  b.tile = control_.tile();
  b.cycle = control_.cycle();
  b.column = control_.column();
  b.psum_column = control_.psum_column();
  b.quad = quad_;
  b.first = control_.pass().first;
  b.last = control_.pass().last;
  b.quad_end = b.last && control.done && control.quad_end;
}

// Adds the codes of a beat to the units that are being streamed.
void ArrayModel::collect(const Beat& b, const CodeBeat& code) {
  const Stream stream = b.segment.stream;
  const size_t count = beat_codes(stream, lanes_);
  if (stream != Stream::kBf16) {
    std::copy_n(code.codes.begin(), count, unit_.data() + b.cycle * count);
    return;
  }
  const bool high = b.cycle % 2 == 1;
  int16_t* target = unit_.data() + b.cycle / 2 * count;
  for (size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<uint8_t>(code.codes[i]);
    target[i] = static_cast<int16_t>(high ? (target[i] & 0xFF) | (byte << 8) : byte);
  }
}

void ArrayModel::compute_partials(Beat& b) {
  const StationaryTile& tile = loader_.tile(b.tile.bank);
  const bool bf16 = b.segment.stream == Stream::kBf16;
  // Beyond the loaded lanes the tile is zero.
  const size_t lanes = std::min(b.segment.lanes, group_);
  for (size_t r = 0; r < b.tile.rows; ++r) b.row_exponents[r] = tile.exponents[r];
  for (size_t c = 0; c < b.columns; ++c) {
    const int16_t* codes = unit_.data() + c * group_;
    for (size_t r = 0; r < b.tile.rows; ++r) {
      b.partials[c * positions_ + r] =
          bf16 ? group_partial(tile.row(r), codes, lanes) : code_partial(tile.row(r), codes, lanes);
    }
    const uint16_t factor = b.factors[(b.column + c) % 4];
    const bool special_unit =
        bf16 ? (factor & 0xFF) == kGroupExponentSpecial : Bf16{factor}.is_special();
    for (size_t r = 0; r < b.tile.rows; ++r) {
      b.special += special_unit || b.row_exponents[r] == kGroupExponentSpecial ? 1 : 0;
    }
  }
}

// The codes of a beat that was read two cycles ago are there.
void ArrayModel::feed(Beat& b, const Inputs& in) {
  if (!b.fire || b.segment.empty) return;
  collect(b, *in.code);
  if (b.columns == 0) return;
  b.factors = *in.factors;
  compute_partials(b);
}

// The new partial sums of a beat.
void ArrayModel::update(Beat& b) {
  AccumulateCounts counts;
  for (size_t c = 0; c < b.columns; ++c) {
    const uint16_t factor = b.factors[(b.column + c) % 4];
    for (size_t r = 0; r < b.tile.rows; ++r) {
      const size_t i = c * positions_ + r;
      const float acc = b.first ? 0.0F : psum_.at(b.psum_column + c, r);
      if (b.segment.empty) {
        b.results[i] = acc;
      } else if (b.segment.stream == Stream::kBf16) {
        b.results[i] =
            accumulate_aligned(acc, b.partials[i], b.row_exponents[r], static_cast<uint8_t>(factor),
                               b.tile.align_w, factor >> 8, counts);
      } else {
        b.results[i] = accumulate(acc, b.partials[i], Bf16{factor}, b.row_exponents[r],
                                  b.tile.align_w, counts);
      }
    }
  }
  b.saturated = counts.saturated;
}

void ArrayModel::write(const Beat& b) {
  for (size_t c = 0; c < b.columns; ++c) {
    for (size_t r = 0; r < b.tile.rows; ++r) {
      const float result = b.results[c * positions_ + r];
      if (b.last) {
        queue_.at(b.quad, (b.column + c) % 4, r) = result;
      } else {
        psum_.at(b.psum_column + c, r) = result;
      }
    }
  }
}

void ArrayModel::clock(const Inputs& in) {
  const PassControlModel::Inputs control_in = control_inputs(in);
  const PassControlModel::Outputs control = control_.outputs(control_in);
  const Beat& written = beat(latency_);
  const DrainModel::Inputs drain_in{.alloc_valid = control.quad_valid,
                                    .alloc_rows = control.quad.rows,
                                    .alloc_columns = control.quad.columns,
                                    .alloc_last = control.quad.last,
                                    .quad_done = written.quad_end,
                                    .y_ready = in.y_ready};
  const size_t quad = drain_.outputs().alloc_quad;
  drain_.clock(drain_in);
  write(written);
  update(beat(latency_ - 1));
  feed(beat(kLookupDelay - 1), in);
  enter(control, quad);
  control_.clock(control_in);
  loader_.clock(loader_inputs(in, control.tile_take));
  ++now_;
}

}  // namespace rivulet
