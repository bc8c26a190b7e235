// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/aligner_model.h"

#include <algorithm>

#include "sw_model/numerics/align.h"

namespace rivulet {

AlignerModel::AlignerModel(size_t values, size_t group) : values_(values), a_(values) {
  const size_t lanes = (group + values - 1) / values * values;
  for (Row& row : row_) {
    row.x.resize(lanes);
    row.a.resize(lanes);
  }
  reset();
}

void AlignerModel::reset() {
  rows_ = 0;
  for (Row& row : row_) row.full = false;
  write_row_ = write_beat_ = 0;
  read_row_ = read_beat_ = 0;
  a_valid_ = false;
}

// Whether this cycle takes the last beat of a row.
bool AlignerModel::row_ends(const Inputs& in) const {
  return in.x_valid && rows_ != 0 && !row_[write_row_].full &&
         write_beat_ == (lanes_ - 1) / values_;
}

AlignerModel::Outputs AlignerModel::outputs(const Inputs& in) const {
  return {.job_ready = rows_ == 0 || (rows_ == 1 && row_ends(in)),
          .x_ready = rows_ != 0 && !row_[write_row_].full,
          .a_valid = a_valid_,
          .a = a_.data(),
          .a_exponent = a_exponent_,
          .a_last = a_last_};
}

void AlignerModel::write(const Inputs& in) {
  Row& row = row_[write_row_];
  for (size_t i = 0; i < values_; ++i) {
    const size_t lane = values_ * write_beat_ + i;
    row.x[lane] = lane < lanes_ ? in.x[i] : Bf16{};
  }
  if (!row_ends(in)) {
    ++write_beat_;
    return;
  }
  row.beats = write_beat_ + 1;
  const size_t lanes = values_ * row.beats;
  row.exponent =
      align_group(std::span(row.x).first(lanes), align_w_, std::span(row.a).first(lanes));
  row.full = true;
  write_beat_ = 0;
  write_row_ ^= 1;
  --rows_;
}

// Moves the next beat to the output register; whether it was the last of its row.
bool AlignerModel::read(const Inputs& in) {
  if (a_valid_ && !in.a_ready) return false;
  const Row& row = row_[read_row_];
  a_valid_ = row.full;
  if (!row.full) return false;
  std::copy_n(row.a.begin() + static_cast<std::ptrdiff_t>(values_ * read_beat_), values_,
              a_.begin());
  a_exponent_ = row.exponent;
  a_last_ = read_beat_ + 1 == row.beats;
  ++read_beat_;
  return a_last_;
}

void AlignerModel::clock(const Inputs& in) {
  const Outputs out = outputs(in);
  // The read side sees the rows as they were before this edge.
  const size_t reading = read_row_;
  const bool row_read = read(in);
  if (in.x_valid && out.x_ready) write(in);
  if (row_read) {
    row_[reading].full = false;
    read_row_ ^= 1;
    read_beat_ = 0;
  }
  if (in.job_valid && out.job_ready) {
    rows_ = in.job_rows;
    lanes_ = static_cast<size_t>(in.job_lanes);
    align_w_ = in.job_align_w;
  }
}

}  // namespace rivulet
