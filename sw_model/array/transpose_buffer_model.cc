// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/transpose_buffer_model.h"

#include <algorithm>

namespace rivulet {

TransposeBufferModel::TransposeBufferModel(size_t lanes, size_t group)
    : lanes_(lanes), group_(group) {
  for (Job& job : job_) job.codes.resize(group * group);
  reset();
}

void TransposeBufferModel::reset() {
  for (Job& job : job_) job.full = false;
  writing_ = out_valid_ = out_open_ = middle_.valid = false;
  write_job_ = lane_ = part_ = 0;
  read_job_ = output_ = run_ = 0;
}

size_t TransposeBufferModel::codes(const Job& job) const {
  return std::min(beat_codes(job.stream, lanes_), group_);
}

size_t TransposeBufferModel::beat_units(const Job& job) const {
  return beat_codes(job.stream, lanes_) / codes(job);
}

// Whether the operation that is written next uses up its beat.
bool TransposeBufferModel::ends_in_beat(const Job& job) const {
  return lane_ + 1 == job.lanes || (lane_ + 1) % beat_units(job) == 0;
}

TransposeBufferModel::Outputs TransposeBufferModel::outputs(const Inputs& /*in*/) const {
  const Job& job = job_[write_job_];
  return {.job_ready = !writing_ && !job.full,
          .in_ready = writing_ && (beat_units(job) == 1 || ends_in_beat(job)),
          .out_valid = out_valid_,
          .out = &out_};
}

void TransposeBufferModel::write(const CodeBeat& beat) {
  Job& job = job_[write_job_];
  const size_t count = codes(job);
  const auto source =
      beat.codes.begin() + static_cast<std::ptrdiff_t>(lane_ % beat_units(job) * count);
  std::copy_n(source, count,
              job.codes.begin() + static_cast<std::ptrdiff_t>(lane_ * group_ + part_ * count));
  if (++part_ * count < group_) return;
  part_ = 0;
  if (++lane_ < job.lanes) return;
  job.full = true;
  writing_ = false;
  write_job_ ^= 1;
}

void TransposeBufferModel::read() {
  Job& job = job_[read_job_];
  const size_t count = codes(job);
  const bool last_run = run_ == (job.lanes - 1) / count;
  const bool done = last_run && output_ + 1 == job.units;
  middle_.valid = true;
  middle_.last = done || (output_ + 1) % beat_units(job) == 0;
  middle_.place = output_ % beat_units(job) * count;
  middle_.count = count;
  for (size_t i = 0; i < count; ++i) {
    const size_t lane = run_ * count + i;
    middle_.codes[i] = lane < job.lanes ? job.codes[lane * group_ + output_] : int8_t{0};
  }
  ++run_;
  if (last_run) {
    run_ = 0;
    ++output_;
  }
  if (done) {
    output_ = 0;
    job.full = false;
    read_job_ ^= 1;
  }
}

void TransposeBufferModel::clock(const Inputs& in) {
  const Outputs out = outputs(in);
  const bool out_move = !out_valid_ || in.out_ready;
  const bool middle_moves = middle_.valid && out_move;
  const bool reads = job_[read_job_].full && (!middle_.valid || middle_moves);
  if (out_move) out_valid_ = middle_.valid && middle_.last;
  if (middle_moves) {
    if (!out_open_) out_.codes.fill(0);
    std::copy_n(middle_.codes.begin(), middle_.count,
                out_.codes.begin() + static_cast<std::ptrdiff_t>(middle_.place));
    out_open_ = !middle_.last;
    middle_.valid = false;
  }
  if (reads) read();
  if (writing_ && in.in_valid) {
    write(*in.in);
  } else if (in.job_valid && out.job_ready) {
    Job& job = job_[write_job_];
    job.stream = in.job_stream;
    job.lanes = in.job_lanes;
    job.units = in.job_units;
    writing_ = true;
    lane_ = part_ = 0;
  }
}

}  // namespace rivulet
