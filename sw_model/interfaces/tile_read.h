// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The command that fetches one segment of columns into the replay buffer: the fields of read_t in
// rtl/rivulet_pkg.sv.

#include "sw_model/interfaces/view_wire.h"
#include "sw_model/interfaces/wire/read.h"
#include "sw_model/numerics/view.h"

namespace rivulet {

struct TileRead {
  bool bf16 = false;      // BF16 values, not codes; `tier` is not looked at
  Tier tier = Tier::kQ8;  // kQ0: an empty segment, nothing is fetched
  Kind kind = Kind::kFfn;
  View view = {};
  bool transpose = false;  // units arrive one per lane (along the outputs), not one per column
  int align_w = 16;        // of BF16 values, 9 to AlignW
  int lanes = 0;           // 1 to Group
  int columns = 0;         // 1 to PsumDepth

  bool empty() const { return !bf16 && tier == Tier::kQ0; }

  friend bool operator==(const TileRead&, const TileRead&) = default;
};

// Fields that TileGeometry::check_read() refuses may not fit: they are cut.
constexpr wire::Read to_wire(const TileRead& read) {
  return {.bf16 = read.bf16,
          .tier = to_wire(read.tier),
          .kind = to_wire(read.kind),
          .view = to_wire(read.view),
          .transpose = read.transpose,
          .align_w = static_cast<uint8_t>(read.align_w),
          .lanes = static_cast<uint8_t>(read.lanes),
          .columns = static_cast<uint16_t>(read.columns)};
}

}  // namespace rivulet
