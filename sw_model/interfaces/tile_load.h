// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The command that loads one stationary tile: the fields of load_t in rtl/rivulet_pkg.sv.

#include "sw_model/interfaces/bit_packer.h"

namespace rivulet {

struct TileLoad {
  static constexpr int kBits = 39;

  bool from_store = false;  // rows come from the x store, not from the x port
  bool keep = false;        // rows from the port are kept in the x store, too
  int slot = 0;             // of the x store, with from_store or keep
  int align_w = 16;         // 9 to AlignW
  int rows = 0;             // positions in use, 1 to Positions
  int lanes = 0;            // lanes in use, 1 to Group

  BitPacker<kBits>::Packed pack() const {
    return BitPacker<kBits>()
        .flag(from_store)
        .flag(keep)
        .add(16, slot)
        .add(5, align_w)
        .add(8, rows)
        .add(8, lanes)
        .packed();
  }

  friend bool operator==(const TileLoad&, const TileLoad&) = default;
};

}  // namespace rivulet
