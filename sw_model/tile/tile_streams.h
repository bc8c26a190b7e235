// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What the input ports of one tile carry, from the first beat to the last, and how many result
// beats come back.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw_model/interfaces/tile_load.h"
#include "sw_model/interfaces/tile_pass.h"
#include "sw_model/interfaces/tile_read.h"
#include "sw_model/numerics/bf16.h"

namespace rivulet {

struct TileStreams {
  std::vector<TileLoad> loads;
  std::vector<TileRead> reads;
  std::vector<TilePass> passes;
  std::vector<Bf16> x;           // x_values() a beat
  std::vector<int8_t> words;     // word_codes() a word
  std::vector<Bf16> w;           // stream_values() a beat
  std::vector<uint64_t> scales;  // four BF16 a beat
  size_t y_beats = 0;
};

}  // namespace rivulet
