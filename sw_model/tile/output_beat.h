// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// One beat of results as it left a tile: four columns of up to y_rows rows.

#include <array>
#include <cstdint>

#include "sw_model/tile/clocked_tile.h"

namespace rivulet {

struct OutputBeat {
  std::array<uint64_t, kMaxYRows> y{};                   // four BF16 of a row each
  std::array<std::array<uint32_t, 4>, kMaxYRows> acc{};  // four FP32 of a row each
  bool last = false;                                     // of its pass

  friend bool operator==(const OutputBeat&, const OutputBeat&) = default;
};

}  // namespace rivulet
