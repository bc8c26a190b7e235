// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/pass_control_model.h"

#include <algorithm>

namespace rivulet {

PassControlModel::PassControlModel(const TileGeometry& geometry, size_t hazard_cycles)
    : lanes_(geometry.lanes()), edges_(geometry.edges()), ended_(hazard_cycles) {
  reset();
}

void PassControlModel::reset() {
  active_ = false;
  std::fill(ended_.begin(), ended_.end(), Ended{});
}

// Columns that a beat ends.
size_t PassControlModel::width() const {
  if (segment_.empty || segment_.stream == Stream::kQ2) return edges_;
  return segment_.stream == Stream::kQ4 && edges_ == 4 ? 2 : 1;
}

size_t PassControlModel::last_cycle() const {
  const size_t last = segment_.lanes - 1;
  if (segment_.stream == Stream::kBf16) return 2 * (last / lanes_) + 1;
  return last * static_cast<size_t>(slices(segment_.stream)) / (4 * lanes_);
}

size_t PassControlModel::factor_last() const {
  if (!active_) return 0;
  return (column_ + std::min(segment_.columns - column_, width()) - 1) % 4;
}

// Whether one of the `columns` places of the next beat is still being updated.
bool PassControlModel::hazard(size_t columns) const {
  const size_t first = psum_column();
  return std::any_of(ended_.begin(), ended_.end(), [&](const Ended& e) {
    return e.count != 0 && e.first < first + columns && first < e.first + e.count;
  });
}

PassControlModel::Outputs PassControlModel::outputs(const Inputs& in) const {
  Outputs out;
  bool free_for_pass = !active_;
  if (active_) {
    const size_t left = segment_.columns - column_;
    out.done = segment_.empty || cycle_ == last_cycle() || width() > 1;
    out.columns = std::min(left, width());
    const bool pass_ends = out.done && left <= width();
    out.quad_end = column_ % 4 + out.columns == 4 || left <= width();
    const bool opens_quad = out.done && pass_.last && column_ % 4 == 0;
    if (!segment_.empty && !in.code_valid) {
      out.wait = Wait::kCodes;
    } else if (!segment_.empty && out.done && !in.factor_valid) {
      out.wait = Wait::kScales;
    } else if (out.done && !pass_.first && hazard(width())) {
      out.wait = Wait::kPsum;
    } else if (opens_quad && !in.quad_ready) {
      out.wait = Wait::kResults;
    }
    out.fire = out.wait == Wait::kNone;
    out.quad_valid = out.fire && opens_quad;
    out.quad = {.rows = tile_.rows, .columns = std::min<size_t>(left, 4), .last = left <= 4};
    out.code_read = out.fire && !segment_.empty;
    out.factor_read = out.code_read && out.done;
    out.factor_next = out.factor_read && out.quad_end;
    free_for_pass = out.fire && pass_ends;
  }
  const bool tile_ok = !in.pass->next_tile || in.tile_ready;
  out.pass_ready = free_for_pass && tile_ok && in.segment_valid;
  out.take = in.pass_valid && out.pass_ready;
  out.tile_take = out.take && in.pass->next_tile;
  if (!active_) {
    if (!in.pass_valid) {
      out.wait = Wait::kNoJob;
    } else if (in.pass->next_tile && (!in.tile_ready || in.segment_valid)) {
      out.wait = in.pass->job_first ? Wait::kFirstLoad : Wait::kLoad;
    } else {
      out.wait = Wait::kCodes;
    }
  }
  return out;
}

void PassControlModel::clock(const Inputs& in) {
  const Outputs out = outputs(in);
  ended_.pop_back();
  ended_.push_front(out.fire && out.done ? Ended{psum_column(), out.columns} : Ended{});
  if (out.fire) {
    ++cycle_;
    if (out.done) {
      cycle_ = 0;
      column_ += width();
      active_ = column_ < segment_.columns;
    }
  }
  if (!out.take) return;
  active_ = true;
  pass_ = *in.pass;
  segment_ = in.segment;
  column_ = cycle_ = 0;
  if (pass_.next_tile) tile_ = in.tile;
}

}  // namespace rivulet
