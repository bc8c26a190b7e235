// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The command that loads one stationary tile: the fields of load_t in rtl/rivulet_pkg.sv.

#include "sw_model/interfaces/wire/load.h"

namespace rivulet {

struct TileLoad {
  bool from_store = false;  // rows come from the x store, not from the x port
  bool keep = false;        // rows from the port are kept in the x store, too
  int slot = 0;             // of the x store, with from_store or keep
  int align_w = 16;         // 9 to AlignW
  int rows = 0;             // positions in use, 1 to Positions
  int lanes = 0;            // lanes in use, 1 to Group

  friend bool operator==(const TileLoad&, const TileLoad&) = default;
};

// Fields that TileGeometry::check_load() refuses may not fit: they are cut.
constexpr wire::Load to_wire(const TileLoad& load) {
  return {.from_store = load.from_store,
          .keep = load.keep,
          .slot = static_cast<uint16_t>(load.slot),
          .align_w = static_cast<uint8_t>(load.align_w),
          .rows = static_cast<uint8_t>(load.rows),
          .lanes = static_cast<uint8_t>(load.lanes)};
}

}  // namespace rivulet
