// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A tile with a clock, seen at its ports: the cycle model or the verilated RTL.
//
// step() is one clock cycle: the outputs belong to the same cycle as the inputs, before its rising
// edge. A transfer happens in a cycle in which valid and ready are both high.

#include <array>
#include <cstddef>
#include <cstdint>

#include "sw_model/numerics/bf16.h"
#include "sw_model/tile/configuration.h"
#include "sw_model/tile/tile_counters.h"
#include "sw_model/tile/tile_pass.h"

namespace rivulet {

// The input streams, in the order of the tile's ports.
enum class TileStream : uint8_t { kPass = 0, kX = 1, kWord = 2, kW = 3, kScale = 4 };
constexpr size_t kTileStreams = 5;
constexpr std::array<const char*, kTileStreams> kTileStreamNames{"pass", "x", "word", "w", "scale"};

// Pointers are never null; what they point at outlives the step. A payload whose valid is low may
// hold anything.
struct TileInputs {
  std::array<bool, kTileStreams> valid{};
  bool y_ready = false;
  const TilePass* pass = nullptr;
  uint64_t x = 0;                // four BF16
  const int8_t* word = nullptr;  // 4 * lanes stored codes
  const Bf16* w = nullptr;       // lanes / 2 values
  uint64_t scale = 0;            // four BF16
};

struct TileOutputs {
  std::array<bool, kTileStreams> ready{};
  bool y_valid = false;
  bool y_last = false;
  uint64_t y = 0;                 // four BF16
  std::array<uint32_t, 4> acc{};  // four FP32
};

class ClockedTile {
 public:
  virtual ~ClockedTile() = default;

  virtual const Configuration& configuration() const = 0;
  // Some cycles in reset, after which nothing is under way and all counters are 0.
  virtual void reset() = 0;
  // One clock cycle. The reference is valid until the next call.
  virtual const TileOutputs& step(const TileInputs& inputs) = 0;
  // After the edge of the last step.
  virtual TileCounters counters() const = 0;
};

}  // namespace rivulet
