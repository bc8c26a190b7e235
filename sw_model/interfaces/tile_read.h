// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The command that fetches one segment of columns into the replay buffer: the fields of read_t in
// rtl/rivulet_pkg.sv.

#include "sw_model/interfaces/bit_packer.h"
#include "sw_model/numerics/view.h"

namespace rivulet {

struct TileRead {
  static constexpr int kBits = 64;

  bool bf16 = false;      // BF16 values, not codes; `tier` is not looked at
  Tier tier = Tier::kQ8;  // kQ0: an empty segment, nothing is fetched
  Kind kind = Kind::kFfn;
  View view = {};
  bool transpose = false;  // units arrive one per lane (along the outputs), not one per column
  int align_w = 16;        // of BF16 values, 9 to AlignW
  int lanes = 0;           // 1 to Group
  int columns = 0;         // 1 to PsumDepth

  bool empty() const { return !bf16 && tier == Tier::kQ0; }

  BitPacker<kBits>::Packed pack() const {
    return BitPacker<kBits>()
        .flag(bf16)
        .add(2, static_cast<int>(tier))
        .add(1, static_cast<int>(kind))
        .flag(view.rounding == Q4Rounding::kHalfUp)
        .add(8, view.clamp)
        .add(3, view.shift)
        .add(9, view.theta_p)
        .add(9, view.theta_n)
        .flag(transpose)
        .add(5, align_w)
        .add(8, lanes)
        .add(16, columns)
        .packed();
  }

  friend bool operator==(const TileRead&, const TileRead&) = default;
};

}  // namespace rivulet
