// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/tile_loader_model.h"

#include <algorithm>

namespace rivulet {

TileLoaderModel::TileLoaderModel(const Shape& shape)
    : shape_(shape),
      build_time_(static_cast<unsigned>(16 * shape.group / (2 * shape.build_pairs))),
      aligner_(shape.x_values, shape.group) {
  StationaryTile empty;
  empty.group = shape.group;
  empty.values.resize(shape.positions * shape.group);
  empty.exponents.resize(shape.positions);
  tile_.fill(empty);
  half_.fill({.tile = empty});
  reset();
}

void TileLoaderModel::reset() {
  aligner_.reset();
  jobs_.clear();
  for (Half& half : half_) half.waiting = half.full = false;
  fill_half_ = fill_row_ = fill_beat_ = 0;
  bank_ = 1;
  build_left_ = looked_up_ = 0;
  owned_ = ready_ = false;
}

AlignerModel::Inputs TileLoaderModel::aligner_inputs(const Inputs& in) const {
  return {.job_valid = in.job_valid && jobs_.size() < kJobs,
          .job_rows = in.job_rows,
          .job_lanes = in.job_lanes,
          .job_align_w = in.job_align_w,
          .x_valid = in.x_valid,
          .x = in.x,
          .a_ready = !half_[fill_half_].full};
}

TileLoaderModel::Outputs TileLoaderModel::outputs(const Inputs& in) const {
  const AlignerModel::Outputs aligner = aligner_.outputs(aligner_inputs(in));
  return {.job_ready = aligner.job_ready && jobs_.size() < kJobs,
          .x_ready = aligner.x_ready,
          .tile_ready = ready_};
}

void TileLoaderModel::accept_beat(const AlignerModel::Outputs& beat) {
  const Job& job = jobs_.front();
  const size_t step_beats = 2 * shape_.build_pairs / shape_.x_values;
  Half& half = half_[fill_half_];
  StationaryTile& tile = half.tile;
  tile.rows = job.rows;
  tile.lanes = job.lanes;
  tile.align_w = job.align_w;
  tile.exponents[fill_row_] = beat.a_exponent;

  const auto row = tile.values.begin() + static_cast<std::ptrdiff_t>(fill_row_ * shape_.group);
  const auto row_end = row + static_cast<std::ptrdiff_t>(shape_.group);
  const auto first = row + static_cast<std::ptrdiff_t>(fill_beat_ * shape_.x_values);
  std::fill(std::copy_n(beat.a, shape_.x_values, first), row_end, int16_t{0});

  ++fill_beat_;
  const bool last_row = fill_row_ + 1 == job.rows;
  const bool first_step_ends = fill_beat_ == step_beats || (beat.a_last && fill_beat_ < step_beats);
  if (last_row && first_step_ends) half.waiting = true;
  if (!beat.a_last) return;
  fill_beat_ = 0;
  ++fill_row_;
  if (!last_row) return;
  half.full = true;
  fill_row_ = 0;
  fill_half_ ^= 1;
  jobs_.pop_front();
}

// One cycle of the build, and of the hand-over.
void TileLoaderModel::build(bool tile_take) {
  const bool done = build_left_ == 1;
  const bool closing = build_left_ == shape_.lookup_delay + 2;
  Half& next = half_[bank_ ^ 1];
  const bool start = next.waiting && !owned_ && looked_up_ == 0 && build_left_ <= 1;
  if (build_left_ != 0) --build_left_;
  if (looked_up_ != 0) --looked_up_;
  if (done) half_[bank_].full = false;
  if (closing) {
    tile_[bank_] = half_[bank_].tile;
    ready_ = true;
  }
  if (tile_take) {
    owned_ = ready_ = false;
    looked_up_ = shape_.lookup_delay - 1;
  }
  if (start) {
    next.waiting = false;
    owned_ = true;
    bank_ ^= 1;
    build_left_ = build_time_;
  }
}

void TileLoaderModel::clock(const Inputs& in) {
  const AlignerModel::Inputs aligner_in = aligner_inputs(in);
  const AlignerModel::Outputs aligner = aligner_.outputs(aligner_in);
  const bool job_fire = aligner_in.job_valid && aligner.job_ready;
  // A beat is seen by the build in the cycle in which it is buffered.
  if (aligner.a_valid && aligner_in.a_ready) accept_beat(aligner);
  build(in.tile_take);
  if (job_fire) {
    jobs_.push_back({.rows = static_cast<size_t>(in.job_rows),
                     .lanes = static_cast<size_t>(in.job_lanes),
                     .align_w = in.job_align_w});
  }
  aligner_.clock(aligner_in);
}

}  // namespace rivulet
