// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/drain_model.h"

#include <algorithm>
#include <utility>

#include "sw_model/numerics/bf16.h"
#include "sw_model/numerics/fp32.h"

namespace rivulet {

DrainModel::DrainModel(const ResultQueueModel& queue, size_t edges, size_t y_rows)
    : queue_(queue),
      reads_(ResultQueueModel::kColumns / edges),
      y_rows_(y_rows),
      meta_(queue.quads()) {
  for (Quad* quad : {&fetched_, &arrived_, &sending_}) quad->acc.resize(queue.positions());
  reset();
}

void DrainModel::reset() {
  for (Quad* quad : {&fetched_, &arrived_, &sending_}) quad->valid = false;
  alloc_quad_ = read_quad_ = word_ = done_ = row_ = 0;
  free_ = queue_.quads();
}

DrainModel::Outputs DrainModel::outputs() const {
  Outputs out{.alloc_ready = free_ != 0, .alloc_quad = alloc_quad_, .y_valid = sending_.valid};
  if (!sending_.valid) return out;
  const size_t rows = sending_.meta.rows;
  out.y_last = sending_.meta.last && row_ + y_rows_ >= rows;
  for (size_t r = 0; r < std::min(y_rows_, rows - row_); ++r) {
    out.acc[r] = sending_.acc[row_ + r];
    for (size_t c = 0; c < out.acc[r].size(); ++c) {
      const Bf16 y = bf16_from_float(fp32_from_bits(out.acc[r][c]));
      out.y[r] |= static_cast<uint64_t>(y.bits) << (16 * c);
    }
  }
  return out;
}

void DrainModel::read(Quad& quad) const {
  quad.valid = true;
  quad.meta = meta_[read_quad_];
  for (size_t r = 0; r < quad.meta.rows; ++r) {
    quad.acc[r].fill(0);
    for (size_t c = 0; c < quad.meta.columns; ++c) {
      quad.acc[r][c] = fp32_bits(queue_.at(read_quad_, c, r));
    }
  }
}

void DrainModel::clock(const Inputs& in) {
  const bool sent = sending_.valid && in.y_ready && row_ + y_rows_ >= sending_.meta.rows;
  const bool load = arrived_.valid && (!sending_.valid || sent);
  const bool step = load || !arrived_.valid;
  const bool rd = step && done_ != 0;
  const bool rd_last = rd && word_ + 1 == reads_;
  const bool alloc = in.alloc_valid && free_ != 0;

  if (load) {
    std::swap(sending_, arrived_);
    row_ = 0;
  } else if (sending_.valid && in.y_ready) {
    sending_.valid = !sent;
    row_ += y_rows_;
  }
  if (step) {
    std::swap(arrived_, fetched_);
    fetched_.valid = false;
  }
  if (rd_last) {
    read(fetched_);
    read_quad_ = (read_quad_ + 1) % meta_.size();
  }
  if (rd) word_ = rd_last ? 0 : word_ + 1;
  if (alloc) {
    meta_[alloc_quad_] = {in.alloc_rows, in.alloc_columns, in.alloc_last};
    alloc_quad_ = (alloc_quad_ + 1) % meta_.size();
  }
  free_ = free_ + (rd_last ? 1 : 0) - (alloc ? 1 : 0);
  done_ = done_ + (in.quad_done ? 1 : 0) - (rd_last ? 1 : 0);
}

}  // namespace rivulet
