// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/aligner_model.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sw_model/numerics/align.h"

namespace rivulet {

size_t AlignerModel::max_stages(size_t values) {
  return 1 + static_cast<size_t>(std::bit_width(values)) / 2;
}

AlignerModel::AlignerModel(size_t values, size_t group)
    : values_(values),
      depth_((group + values - 1) / values + max_stages(values)),
      ring_(depth_ + 1) {
  const size_t lanes = (group + values - 1) / values * values;
  for (Row& row : ring_) {
    row.x.resize(lanes);
    row.a.resize(lanes);
  }
  for (Beat& beat : stage_) beat.a.resize(values);
  reset();
}

void AlignerModel::reset() {
  rows_ = 0;
  write_beat_ = read_beat_ = 0;
  first_row_ = row_count_ = beat_count_ = 0;
  for (Beat& beat : stage_) beat.valid = false;
}

// Whether this cycle takes the last beat of a row.
bool AlignerModel::row_ends(const Inputs& in) const {
  return in.x_valid && rows_ != 0 && beat_count_ != depth_ && write_beat_ == (lanes_ - 1) / values_;
}

AlignerModel::Outputs AlignerModel::outputs(const Inputs& in) const {
  const Beat& out = stage_.back();
  return {.job_ready = rows_ == 0 || (rows_ == 1 && row_ends(in)),
          .x_ready = rows_ != 0 && beat_count_ != depth_,
          .a_valid = out.valid,
          .a = out.a.data(),
          .a_exponent = out.exponent,
          .a_last = out.last};
}

void AlignerModel::write(const Inputs& in) {
  Row& row = ring_[(first_row_ + row_count_) % ring_.size()];
  for (size_t i = 0; i < values_; ++i) {
    const size_t lane = values_ * write_beat_ + i;
    row.x[lane] = lane < lanes_ ? in.x[i] : Bf16{};
  }
  ++beat_count_;
  if (++write_beat_ <= (lanes_ - 1) / values_) return;
  row.beats = write_beat_;
  const size_t lanes = values_ * row.beats;
  row.exponent =
      align_group(std::span(row.x).first(lanes), align_w_, std::span(row.a).first(lanes));
  row.known = cycle_ + max_stages(values_);
  ++row_count_;
  write_beat_ = 0;
  --rows_;
}

// The next beat, if the maximum of its row is known.
void AlignerModel::read(Beat& beat) {
  const Row& row = ring_[first_row_];
  beat.valid = row_count_ != 0 && cycle_ >= row.known;
  if (!beat.valid) return;
  std::copy_n(row.a.begin() + static_cast<std::ptrdiff_t>(values_ * read_beat_), values_,
              beat.a.begin());
  beat.exponent = row.exponent;
  beat.last = ++read_beat_ == row.beats;
  --beat_count_;
  if (!beat.last) return;
  read_beat_ = 0;
  first_row_ = (first_row_ + 1) % ring_.size();
  --row_count_;
}

void AlignerModel::clock(const Inputs& in) {
  const Outputs out = outputs(in);
  if (!out.a_valid || in.a_ready) {
    std::swap(stage_[2], stage_[1]);
    std::swap(stage_[1], stage_[0]);
    read(stage_[0]);
  }
  if (in.x_valid && out.x_ready) write(in);
  if (in.job_valid && out.job_ready) {
    rows_ = in.job_rows;
    lanes_ = static_cast<size_t>(in.job_lanes);
    align_w_ = in.job_align_w;
  }
  ++cycle_;
}

}  // namespace rivulet
