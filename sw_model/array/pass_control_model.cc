// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/pass_control_model.h"

#include <algorithm>

namespace rivulet {

PassControlModel::PassControlModel(const TileGeometry& geometry, size_t hazard_units)
    : lanes_(geometry.lanes()),
      group_(geometry.group()),
      edges_(geometry.edges()),
      hazard_units_(hazard_units) {
  reset();
}

void PassControlModel::reset() {
  active_ = false;
  half_ = bank_ = 0;
  half_busy_ = {};
}

// Columns that one beat ends at most.
size_t PassControlModel::width() const {
  if (pass_.stream == Stream::kQ2) return edges_;
  return pass_.stream == Stream::kQ4 && edges_ == 4 ? 2 : 1;
}

// Index of the last beat of a unit.
size_t PassControlModel::last_cycle() const {
  const size_t last = static_cast<size_t>(pass_.lanes) - 1;
  if (pass_.stream == Stream::kBf16) return 2 * (last / lanes_) + 1;
  // Where a beat can hold several units, units in dot order are padded to whole groups.
  if (edges_ > 1 && !pass_.transpose) return (group_ - 1) * slices(pass_.stream) / (4 * lanes_);
  return last * slices(pass_.stream) / (4 * lanes_);
}

PassControlModel::Outputs PassControlModel::outputs(const Inputs& in) const {
  Outputs out;
  if (active_) {
    const size_t left = static_cast<size_t>(pass_.columns) - column_;
    out.done = cycle_ == last_cycle() || width() > 1;
    out.columns = std::min(left, width());
    const bool needs_scale = out.done && pass_.stream != Stream::kBf16;
    out.code_ready = !needs_scale || in.scale_valid;
    out.fire = out.code_ready && in.code_valid;
    const bool pass_ends = out.fire && out.done && left <= width();
    out.scale_ready = out.fire && needs_scale && (pass_ends || column_ % 4 + out.columns == 4);
    out.last = pass_ends && pass_.last;
    out.stall_code = !in.code_valid;
    out.stall_scale = in.code_valid && !out.code_ready;
    out.pass_ready = pass_ends;
  } else {
    out.pass_ready = true;
  }
  const bool tile_ok = !in.pass->load || in.tile_ready;
  const bool psum_ok = in.pass->first ? !half_busy_[half_ ^ 1]
                                      : static_cast<size_t>(in.pass->columns) >= hazard_units_ ||
                                            !(in.in_flight || active_);
  out.wait_tile = in.pass_valid && !active_ && !tile_ok;
  out.wait_psum = in.pass_valid && !active_ && tile_ok && !psum_ok;
  out.pass_ready = out.pass_ready && tile_ok && psum_ok;
  out.tile_take = in.pass_valid && out.pass_ready && in.pass->load;
  return out;
}

void PassControlModel::clock(const Inputs& in) {
  const Outputs out = outputs(in);
  if (in.drain_done) half_busy_[in.drain_done_half] = false;
  if (in.pass_valid && out.pass_ready) {
    active_ = true;
    pass_ = *in.pass;
    column_ = cycle_ = 0;
    if (pass_.first) {
      half_ ^= 1;
      half_busy_[half_] = true;
    }
    if (pass_.load) {
      bank_ = in.tile_bank;
      rows_ = in.tile_rows;
      align_w_ = in.tile_align_w;
    }
    return;
  }
  if (!out.fire) return;
  if (!out.done) {
    ++cycle_;
    return;
  }
  cycle_ = 0;
  column_ += width();
  if (column_ >= static_cast<size_t>(pass_.columns)) active_ = false;
}

}  // namespace rivulet
