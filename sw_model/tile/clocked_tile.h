// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A tile with a clock, seen at its ports: the cycle model or the verilated RTL.
// Cycles and handshakes: sw_model/interfaces/clocked_block.h.

#include <array>
#include <cstddef>
#include <cstdint>

#include "sw_model/interfaces/clocked_block.h"
#include "sw_model/interfaces/configuration.h"
#include "sw_model/interfaces/tile_load.h"
#include "sw_model/interfaces/tile_pass.h"
#include "sw_model/interfaces/tile_read.h"
#include "sw_model/numerics/bf16.h"
#include "sw_model/tile/tile_counters.h"

namespace rivulet {

// The input streams, in the order of the tile's ports: three of commands, four of data.
enum class TileStream : uint8_t { kLoad, kRead, kPass, kX, kWord, kW, kScale };
constexpr size_t kTileStreams = 7;
constexpr std::array<const char*, kTileStreams> kTileStreamNames{"load", "read", "pass", "x",
                                                                 "word", "w",    "scale"};

// Pointers are never null; what they point at outlives the step. A payload whose valid is low may
// hold anything.
struct TileInputs {
  std::array<bool, kTileStreams> valid{};
  bool y_ready = false;
  const TileLoad* load = nullptr;
  const TileRead* read = nullptr;
  const TilePass* pass = nullptr;
  const Bf16* x = nullptr;       // x_values of them
  const int8_t* word = nullptr;  // 4 * lanes stored codes
  const Bf16* w = nullptr;       // side_lanes / 2 values
  uint64_t scale = 0;            // four BF16
};

// A result beat: four columns of up to y_rows rows; what lies beyond the job is zero.
struct TileOutputs {
  std::array<bool, kTileStreams> ready{};
  bool y_valid = false;
  bool y_last = false;                                   // of its pass
  std::array<uint64_t, kMaxYRows> y{};                   // four BF16 of a row each
  std::array<std::array<uint32_t, 4>, kMaxYRows> acc{};  // four FP32 of a row each
};

struct TileBlock {
  using Inputs = TileInputs;
  using Outputs = TileOutputs;
  using Counters = TileCounters;
  static constexpr std::array<const char*, kTileStreams> kInputs = kTileStreamNames;
  static constexpr std::array<const char*, 1> kOutputs{"y"};

  static bool& valid(Inputs& inputs, size_t input) { return inputs.valid[input]; }
  static bool ready(const Outputs& outputs, size_t input) { return outputs.ready[input]; }
  static bool& ready(Inputs& inputs, size_t /*output*/) { return inputs.y_ready; }
  static bool valid(const Outputs& outputs, size_t /*output*/) { return outputs.y_valid; }
};

class ClockedTile : public ClockedBlock<TileBlock> {
 public:
  virtual const Configuration& configuration() const = 0;
};

}  // namespace rivulet
