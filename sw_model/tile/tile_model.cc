// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_model.h"

namespace rivulet {
namespace {

size_t size(int value) { return static_cast<size_t>(value); }

ReplayModel::Quad quad_of(uint64_t beat) {
  ReplayModel::Quad quad;
  for (size_t i = 0; i < quad.size(); ++i) quad[i] = static_cast<uint16_t>(beat >> (16 * i));
  return quad;
}

}  // namespace

TileModel::TileModel(const Configuration& c)
    : geometry_(c),
      x_store_({.x_values = size(c.x_values),
                .positions = size(c.positions),
                .group = size(c.group),
                .slots = size(c.x_tiles)}),
      fill_(geometry_),
      replay_({.lanes = size(c.lanes),
               .side_lanes = size(c.side_lanes),
               .edges = geometry_.edges(),
               .beats = size(c.replay_beats),
               .segments = size(c.replay_segments),
               .quads = size(c.replay_quads)}),
      array_(geometry_) {
  reset();
}

void TileModel::reset() {
  load_.reset();
  read_.reset();
  pass_.reset();
  x_store_.reset();
  fill_.reset();
  replay_.reset();
  array_.reset();
  events_ = {};
  counters_ = {};
}

const TileOutputs& TileModel::step(const TileInputs& in) {
  const auto valid = [&in](TileStream stream) { return in.valid[static_cast<size_t>(stream)]; };

  // What comes from registers, and what the replay buffer shows for the next pass.
  const ReplayModel::Quad scale = quad_of(in.scale);
  ReplayModel::Inputs replay_in{.scale_valid = valid(TileStream::kScale),
                                .scale = &scale,
                                .rewind = pass_.front().rewind,
                                .free = pass_.front().free};
  replay_in.factor_column = array_.factor_column();
  ReplayModel::Outputs replay = replay_.outputs(replay_in);

  // The array.
  XStoreModel::Inputs x_in{.load_valid = load_.valid(),
                           .load = load_.front(),
                           .x_valid = valid(TileStream::kX),
                           .x = in.x};
  const XStoreModel::Outputs x_registers = x_store_.outputs(x_in);
  ArrayModel::Inputs array_in{.load_valid = x_registers.job_valid,
                              .load = &x_registers.job,
                              .x_valid = x_registers.out_valid,
                              .x = x_registers.out,
                              .pass_valid = pass_.valid(),
                              .pass = &pass_.front(),
                              .segment_valid = replay.seg != nullptr,
                              .segment = replay.seg != nullptr ? *replay.seg : Segment{},
                              .code_valid = replay.code_valid,
                              .factor_valid = replay.factor_valid,
                              .code = replay.code,
                              .factors = replay.factor,
                              .y_ready = in.y_ready};
  const ArrayModel::Outputs array = array_.outputs(array_in);
  x_in.job_ready = array.load_ready;
  x_in.out_ready = array.x_ready;
  const XStoreModel::Outputs x = x_store_.outputs(x_in);
  replay_in.take = array.control.take;
  replay_in.read = array.control.code_read;
  replay_in.factor_read = array.control.factor_read;
  replay_in.factor_next = array.control.factor_next;

  // The segments.
  FillModel::Inputs fill_in{.read_valid = read_.valid(),
                            .read = &read_.front(),
                            .word_valid = valid(TileStream::kWord),
                            .word = in.word,
                            .w_valid = valid(TileStream::kW),
                            .w = in.w,
                            .seg_ready = false,
                            .beat_ready = replay.beat_ready,
                            .source = replay.source};
  const FillModel::Outputs fill = fill_.outputs(fill_in);
  replay_in.seg_valid = fill.seg_valid;
  replay_in.seg = fill.seg;
  replay_in.beat_valid = fill.beat_valid;
  if (fill.beat_valid) replay_in.beat = fill_.beat(replay.source);
  replay_in.side_last = fill.side_last;
  replay_in.unit_last = fill.unit_last;
  replay = replay_.outputs(replay_in);
  fill_in.seg_ready = replay.seg_ready;

  outputs_.ready = {load_.ready(),   read_.ready(), pass_.ready(),     x.x_ready,
                    fill.word_ready, fill.w_ready,  replay.scale_ready};
  outputs_.y_valid = array.y.y_valid;
  outputs_.y_last = array.y.y_last;
  outputs_.y = array.y.y;
  outputs_.acc = array.y.acc;

  // The clock edge.
  const auto moved = [&](TileStream stream) {
    return valid(stream) && outputs_.ready[static_cast<size_t>(stream)];
  };
  count();
  events_ = {.counts = true,
             .array = array.events,
             .load = x_registers.job_valid && array.load_ready,
             .x = moved(TileStream::kX),
             .word = moved(TileStream::kWord),
             .w = moved(TileStream::kW),
             .scale = moved(TileStream::kScale),
             .y = array.y.y_valid && in.y_ready};
  array_.clock(array_in);
  replay_.clock(replay_in);
  fill_.clock(fill_in);
  load_.clock(valid(TileStream::kLoad), *in.load, x.load_ready);
  x_store_.clock(x_in);
  read_.clock(valid(TileStream::kRead), *in.read, fill.read_ready);
  pass_.clock(valid(TileStream::kPass), *in.pass, array.pass_ready);
  return outputs_;
}

// Adds what happened one cycle ago.
void TileModel::count() {
  if (!events_.counts) return;
  const auto one = [](uint64_t& counter, bool event) { counter += event ? 1 : 0; };
  const ArrayModel::Events& array = events_.array;
  TileCounters& c = counters_;
  ++c.cycles;
  if (array.fire) {
    ++c.array_beats[static_cast<size_t>(array.stream)];
    c.macs[static_cast<size_t>(array.stream)] += array.macs;
  }
  one(c.carry_beats, array.carry);
  one(c.wait_no_job, array.wait == Wait::kNoJob);
  one(c.wait_first_load, array.wait == Wait::kFirstLoad);
  one(c.wait_load, array.wait == Wait::kLoad);
  one(c.wait_codes, array.wait == Wait::kCodes);
  one(c.wait_scales, array.wait == Wait::kScales);
  one(c.wait_psum, array.wait == Wait::kPsum);
  one(c.wait_results, array.wait == Wait::kResults);
  one(c.loads, events_.load);
  one(c.x_beats, events_.x);
  one(c.words, events_.word);
  one(c.w_beats, events_.w);
  one(c.scale_beats, events_.scale);
  one(c.y_beats, events_.y);
  c.special += array.special;
  c.saturated += array.saturated;
}

TileCounters TileModel::counters() const {
  TileCounters counters = counters_;
  counters.converter = fill_.counters();
  return counters;
}

}  // namespace rivulet
