// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/result_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw_model/common/device_error.h"
#include "sw_model/numerics/fp32.h"

namespace rivulet {

ResultWalk::ResultWalk(const TileGeometry& geometry, const TileSchedule& schedule, size_t n)
    : schedule_(schedule), n_(n), y_rows_(geometry.y_rows()) {
  find_last_pass();
}

void ResultWalk::find_last_pass() {
  while (!done() && !schedule_.passes()[pass_].command.last) ++pass_;
  if (!done()) set_place();
}

void ResultWalk::set_place() {
  const TileSchedule::Pass& pass = schedule_.passes()[pass_];
  place_.rows = {pass.rows.first + row_, std::min(y_rows_, pass.rows.count - row_)};
  place_.columns = {pass.columns.first + column_,
                    std::min(TileGeometry::kQuad, pass.columns.count - column_)};
  place_.last_rows = place_.rows.end() == pass.rows.end();
  place_.last = place_.last_rows && place_.columns.end() == pass.columns.end();
}

void ResultWalk::advance() {
  row_ = place_.last_rows ? 0 : row_ + y_rows_;
  if (place_.last_rows) column_ += TileGeometry::kQuad;
  if (!place_.last) {
    set_place();
    return;
  }
  column_ = 0;
  ++pass_;
  find_last_pass();
}

void ResultWalk::store(const OutputBeat& beat, const TileResults& results) const {
  if (beat.last != place_.last) {
    throw Mismatch(fmt::format("result beat of row {}, column {}: last is {}, expected {}",
                               place_.rows.first, place_.columns.first, beat.last, place_.last));
  }
  for (size_t r = 0; r < beat.y.size(); ++r) {
    for (size_t c = 0; c < beat.acc[r].size(); ++c) {
      const Bf16 y{static_cast<uint16_t>(beat.y[r] >> (16 * c))};
      if (r < place_.rows.count && c < place_.columns.count) {
        const size_t index = (place_.rows.first + r) * n_ + place_.columns.first + c;
        results.acc[index] = fp32_from_bits(beat.acc[r][c]);
        results.y[index] = y;
      } else if (y.bits != 0 || beat.acc[r][c] != 0) {
        throw Mismatch(
            fmt::format("result beat of row {}, column {}: its row {}, column {} lies beyond the "
                        "matrix and is not zero (y 0x{:04X}, acc 0x{:08X})",
                        place_.rows.first, place_.columns.first, r, c, y.bits, beat.acc[r][c]));
      }
    }
  }
}

OutputBeat ResultWalk::beat(const TileResults& results) const {
  OutputBeat beat{.last = place_.last};
  for (size_t r = 0; r < place_.rows.count; ++r) {
    for (size_t c = 0; c < place_.columns.count; ++c) {
      const size_t index = (place_.rows.first + r) * n_ + place_.columns.first + c;
      beat.acc[r][c] = fp32_bits(results.acc[index]);
      beat.y[r] |= static_cast<uint64_t>(results.y[index].bits) << (16 * c);
    }
  }
  return beat;
}

}  // namespace rivulet
