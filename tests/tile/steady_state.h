// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// How busy a clocked tile is in steady streaming, from its own counters.
//
// A product is run once and twice in a row; the difference is what one more costs, without the
// filling and emptying of the pipeline.

#include <cstdint>

#include "sw_model/interfaces/stream.h"
#include "sw_model/tile/clocked_tile.h"

namespace rivulet {

struct SteadyState {
  uint64_t cycles = 0;            // of one more product
  uint64_t beats = 0;             // in which codes entered the array
  uint64_t simulated_cycles = 0;  // of everything that was run

  double busy() const { return static_cast<double>(beats) / static_cast<double>(cycles); }
};

// Full row blocks and groups, few enough columns that all row blocks share a fetch.
SteadyState steady_state(ClockedTile& tile, Stream stream);

}  // namespace rivulet
