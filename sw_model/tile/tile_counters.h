// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The counters at the status port of the tile since reset: tile_counters_t of
// rtl/tile/rivulet_tile_pkg.sv. 48 bits each in hardware, where they saturate.

#include <cstdint>

#include "sw_model/converter/converter_cycle.h"
#include "sw_model/tile/counters.h"

namespace rivulet {

struct TileCounters {
  uint64_t cycles = 0;
  PerStream array_beats{};   // cycles in which a beat entered the array
  PerStream macs{};          // lane x row products of the units that ended
  uint64_t wait_tile = 0;    // cycles without an active pass: the next one waits for its tile,
  uint64_t wait_psum = 0;    // or for partial sums
  uint64_t stall_code = 0;   // cycles in which the active pass had no codes,
  uint64_t stall_scale = 0;  // or no scale
  uint64_t x_beats = 0;
  uint64_t w_beats = 0;
  uint64_t scale_beats = 0;
  uint64_t y_beats = 0;
  uint64_t words = 0;
  uint64_t special = 0;    // updates with an Inf or NaN operand
  uint64_t saturated = 0;  // updates that made a finite partial sum infinite
  ConverterCounters converter;

  friend bool operator==(const TileCounters&, const TileCounters&) = default;
};

}  // namespace rivulet
