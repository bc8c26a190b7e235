// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The tile for the harness of tb/block.

#include <cstddef>
#include <string>

#include "sw_model/tile/clocked_tile.h"
#include "tb/block/block_ports.h"
#include "tb/tile/tile_noise.h"

namespace rivulet {

template <>
struct BlockPorts<TileBlock> {
  using Noise = TileNoise;

  static bool same(size_t /*output*/, const TileOutputs& a, const TileOutputs& b) {
    return a.y == b.y && a.acc == b.acc && a.y_last == b.y_last;
  }
  static std::string text(size_t output, const TileOutputs& outputs);
  static std::string text(const TileCounters& counters);
};

}  // namespace rivulet
