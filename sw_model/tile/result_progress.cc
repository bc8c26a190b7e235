// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/result_progress.h"

#include "sw_model/interfaces/tile_geometry.h"

namespace rivulet {

ResultProgress::ResultProgress(size_t m, size_t n, size_t positions)
    : positions_(positions),
      blocks_(ceil_divide(m, positions), {.count = 0, .complete = std::vector<uint8_t>(n)}) {}

void ResultProgress::add(const ResultWalk::Place& place) {
  if (!place.last_rows) return;
  RowBlock& block = blocks_[place.rows.first / positions_];
  block.count += place.columns.count;
  for (size_t i = 0; i < place.columns.count; ++i) block.complete[place.columns.first + i] = 1;
}

bool ResultProgress::complete(const Range& rows, const Range& columns) const {
  for (size_t b = ceil_divide(rows.end(), positions_); b-- > rows.first / positions_;) {
    const RowBlock& block = blocks_[b];
    if (block.count == block.complete.size()) continue;
    for (size_t column = columns.end(); column-- > columns.first;) {
      if (block.complete[column] == 0) return false;
    }
  }
  return true;
}

}  // namespace rivulet
