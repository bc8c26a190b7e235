// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The command of one pass: a segment of the replay buffer meets a stationary tile. The fields of
// pass_t in rtl/rivulet_pkg.sv.

#include "sw_model/interfaces/wire/pass.h"

namespace rivulet {

struct TilePass {
  bool next_tile = false;  // takes the next loaded tile; else the present one stays
  bool job_first = false;  // first pass of a job (for the counters)
  bool first = false;      // partial sums start from +0
  bool last = false;       // results leave, they are not kept as partial sums
  bool rewind = false;     // starts at the first segment that is not released, else goes on
  bool free = false;       // the segment is released while it is read
  int base = 0;            // its first column among the partial sums, a multiple of 4

  friend bool operator==(const TilePass&, const TilePass&) = default;
};

// Fields that TileGeometry::check_pass() refuses may not fit: they are cut.
constexpr wire::Pass to_wire(const TilePass& pass) {
  return {.next_tile = pass.next_tile,
          .job_first = pass.job_first,
          .first = pass.first,
          .last = pass.last,
          .rewind = pass.rewind,
          .free = pass.free,
          .base = static_cast<uint16_t>(pass.base)};
}

}  // namespace rivulet
