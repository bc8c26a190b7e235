// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/drain_model.h"

#include "sw_model/numerics/bf16.h"
#include "sw_model/numerics/fp32.h"

namespace rivulet {

DrainModel::DrainModel(const PsumModel& psum, size_t edges) : psum_(psum), reads_(kQuad / edges) {
  reset();
}

void DrainModel::reset() {
  active_ = reads_left_ = reading_ = read_ends_ = filled_ = sending_ = false;
  job_ = {};
  unit_ = read_ = read_unit_ = fill_unit_ = send_unit_ = row_ = 0;
}

DrainModel::Outputs DrainModel::outputs(const Inputs& in) const {
  Outputs out{.job_ready = !active_, .done_half = job_.half, .y_valid = sending_};
  if (!sending_) return out;
  out.y_last = send_unit_ + kQuad >= job_.units && row_ + 1 == job_.rows;
  out.done = in.y_ready && out.y_last;
  for (size_t c = 0; c < kQuad && send_unit_ + c < job_.units; ++c) {
    const float acc = psum_.at(job_.half, send_unit_ + c, row_);
    out.acc[c] = fp32_bits(acc);
    out.y |= static_cast<uint64_t>(bf16_from_float(acc).bits) << (16 * c);
  }
  return out;
}

void DrainModel::clock(const Inputs& in) {
  const bool row_last = row_ + 1 == job_.rows;
  const bool sent_last = sending_ && in.y_ready && row_last;
  const bool done = sent_last && send_unit_ + kQuad >= job_.units;
  const bool start = in.job_valid && !active_;
  const bool move = filled_ && (!sending_ || sent_last);
  const bool read = active_ && reads_left_ && !filled_ && !(reading_ && read_ == 0);
  const bool quad_arrives = read_ends_;

  if (move) {
    sending_ = true;
    send_unit_ = fill_unit_;
    row_ = 0;
    filled_ = false;
  } else if (sending_ && in.y_ready) {
    sending_ = !row_last;
    ++row_;
  }
  if (quad_arrives) {
    filled_ = true;
    fill_unit_ = read_unit_;
    reading_ = false;
  }
  read_ends_ = false;
  if (read) {
    reading_ = true;
    read_unit_ = unit_;
    if (++read_ == reads_) {
      read_ = 0;
      read_ends_ = true;
      unit_ += kQuad;
      if (unit_ >= job_.units) reads_left_ = false;
    }
  }
  if (start) {
    active_ = reads_left_ = true;
    job_ = in.job;
    unit_ = read_ = 0;
  } else if (done) {
    active_ = false;
  }
}

}  // namespace rivulet
