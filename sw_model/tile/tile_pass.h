// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The command of one pass of the tile: `columns` columns meet one stationary tile. The same fields
// as pass_t in rtl/rivulet_pkg.sv. pack() gives the bits of the port, least significant word first.

#include <array>
#include <cstdint>

#include "sw_model/numerics/view.h"

namespace rivulet {

// Width of the codes that a pass streams; the value is the code of stream_e.
enum class Stream : uint8_t { kBf16 = 0, kQ2 = 1, kQ4 = 2, kQ8 = 3 };

// Slices of 2 bits of one code.
constexpr int slices(Stream stream) {
  return stream == Stream::kBf16 ? 8 : 1 << (static_cast<int>(stream) - 1);
}

// q0 streams nothing and has no pass: std::invalid_argument.
Stream stream_of(Tier tier);

struct TilePass {
  static constexpr int kBits = 74;
  using Packed = std::array<uint32_t, (kBits + 31) / 32>;

  Stream stream = Stream::kQ8;
  Kind kind = Kind::kFfn;
  View view;
  bool transpose = false;  // units arrive one per lane, not one per column
  bool load = false;       // a new stationary tile is loaded for this pass
  bool first = false;      // partial sums start from +0
  bool last = false;       // partial sums are rounded and sent out after this pass
  int align_w = 16;        // 9 to AlignW
  int rows = 0;            // positions in use, 1 to Positions
  int lanes = 0;           // lanes in use, 1 to Group
  int columns = 0;         // one unit each, 1 to PsumDepth

  Packed pack() const;

  friend bool operator==(const TilePass&, const TilePass&) = default;
};

}  // namespace rivulet
