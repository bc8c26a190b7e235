// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/tile_loader_model.h"

#include <algorithm>

namespace rivulet {

TileLoaderModel::TileLoaderModel(size_t positions, size_t group, size_t build_pairs)
    : group_(group),
      build_cycles_(static_cast<unsigned>(16 * group / (2 * build_pairs))),
      aligner_(kBeatValues, group),
      row_(positions) {
  for (Row& row : row_) row.values.resize(group);
  for (StationaryTile& tile : tile_) {
    tile.group = group;
    tile.values.resize(positions * group);
    tile.exponents.resize(positions);
  }
  reset();
}

void TileLoaderModel::reset() {
  aligner_.reset();
  jobs_ = {};
  rows_on_way_ = {};
  for (Row& row : row_) {
    row.full = row.built = false;
    row.build_left = 0;
  }
  beat_row_ = 0;
  first_beat_ = true;
  bank_ = 0;
}

AlignerModel::Inputs TileLoaderModel::aligner_inputs(const Inputs& in) const {
  return {.job_valid = in.job_valid && jobs_.size != 2,
          .job_rows = in.job_rows,
          .job_lanes = in.job_lanes,
          .job_align_w = in.job_align_w,
          .x_valid = in.x_valid,
          .x = in.x,
          .a_ready = !row_[beat_row_].full};
}

TileLoaderModel::Outputs TileLoaderModel::outputs(const Inputs& in) const {
  const AlignerModel::Outputs aligner = aligner_.outputs(aligner_inputs(in));
  const bool built =
      jobs_.size != 0 &&
      std::all_of(row_.begin(), row_.begin() + static_cast<std::ptrdiff_t>(jobs_.entry[0].rows),
                  [](const Row& row) { return row.built; });
  return {.job_ready = aligner.job_ready && jobs_.size != 2,
          .x_ready = aligner.x_ready,
          .tile_ready = built};
}

// One cycle of the builders; their states of before the edge decide.
void TileLoaderModel::build() {
  StationaryTile& tile = tile_[bank_];
  for (size_t r = 0; r < row_.size(); ++r) {
    Row& row = row_[r];
    if (row.build_left > 1) {
      --row.build_left;
    } else if (row.build_left == 1) {
      row.build_left = 0;
      row.full = false;
      row.built = true;
      const auto first = tile.values.begin() + static_cast<std::ptrdiff_t>(r * group_);
      const auto loaded = static_cast<std::ptrdiff_t>(row.lanes);
      std::copy_n(row.values.begin(), loaded, first);
      std::fill(first + loaded, first + static_cast<std::ptrdiff_t>(group_), int16_t{0});
      tile.exponents[r] = row.exponent;
    } else if (row.full && !row.built && r < jobs_.entry[0].rows) {
      row.build_left = build_cycles_;
    }
  }
}

void TileLoaderModel::accept_beat(const AlignerModel::Outputs& beat) {
  Row& row = row_[beat_row_];
  if (first_beat_) row.lanes = 0;
  for (size_t i = 0; i < kBeatValues; ++i) row.values[row.lanes++] = beat.a[i];
  row.exponent = beat.a_exponent;
  first_beat_ = beat.a_last;
  if (!beat.a_last) return;
  row.full = true;
  if (beat_row_ + 1 == rows_on_way_.entry[0]) {
    beat_row_ = 0;
    rows_on_way_.pop();
  } else {
    ++beat_row_;
  }
}

void TileLoaderModel::clock(const Inputs& in) {
  const AlignerModel::Inputs aligner_in = aligner_inputs(in);
  const AlignerModel::Outputs aligner = aligner_.outputs(aligner_in);
  const bool job_fire = aligner_in.job_valid && aligner.job_ready;
  build();
  if (aligner.a_valid && aligner_in.a_ready) accept_beat(aligner);
  if (in.tile_take) {
    tile_[bank_].rows = jobs_.entry[0].rows;
    tile_[bank_].align_w = jobs_.entry[0].align_w;
    jobs_.pop();
    for (Row& row : row_) row.built = false;
    bank_ ^= 1;
  }
  if (job_fire) {
    jobs_.push({.rows = static_cast<size_t>(in.job_rows), .align_w = in.job_align_w});
    rows_on_way_.push(static_cast<size_t>(in.job_rows));
  }
  aligner_.clock(aligner_in);
}

}  // namespace rivulet
