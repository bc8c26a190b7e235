// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The command of one pass: a segment of the replay buffer meets a stationary tile. The fields of
// pass_t in rtl/rivulet_pkg.sv.

#include "sw_model/interfaces/bit_packer.h"

namespace rivulet {

struct TilePass {
  static constexpr int kBits = 22;

  bool next_tile = false;  // takes the next loaded tile; else the present one stays
  bool job_first = false;  // first pass of a job (for the counters)
  bool first = false;      // partial sums start from +0
  bool last = false;       // results leave, they are not kept as partial sums
  bool rewind = false;     // starts at the first segment that is not released, else goes on
  bool free = false;       // the segment is released while it is read
  int base = 0;            // its first column among the partial sums, a multiple of 4

  BitPacker<kBits>::Packed pack() const {
    return BitPacker<kBits>()
        .flag(next_tile)
        .flag(job_first)
        .flag(first)
        .flag(last)
        .flag(rewind)
        .flag(free)
        .add(16, base)
        .packed();
  }

  friend bool operator==(const TilePass&, const TilePass&) = default;
};

}  // namespace rivulet
