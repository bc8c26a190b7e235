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
  uint64_t carry_beats = 0;  // cycles in which columns of an empty segment were carried
  PerStream macs{};          // lane x row products of the units that ended
  // The other cycles, by what kept the array waiting. With the two lines of beats they add up to
  // `cycles`.
  uint64_t wait_no_job = 0;      // no pass to run
  uint64_t wait_first_load = 0;  // the tile of the first pass of a job
  uint64_t wait_load = 0;        // the tile of another pass
  uint64_t wait_codes = 0;       // codes of the segment
  uint64_t wait_scales = 0;
  uint64_t wait_psum = 0;     // a partial sum that is still being updated
  uint64_t wait_results = 0;  // room for results
  uint64_t loads = 0;         // stationary tiles
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
