// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Steady-state throughput of a clocked tile, from its own counters.
//
// The same product is run a few times and twice as often; the difference is what one more product
// costs in the steady state, without the filling and emptying of the pipeline.

#include <cstdint>

#include "sw_model/tile/clocked_tile.h"
#include "sw_model/tile/stream.h"

namespace rivulet {

struct Throughput {
  Stream stream = Stream::kQ8;
  uint64_t cycles = 0;  // of the additional products
  uint64_t beats = 0;   // cycles in which codes entered the array
  uint64_t macs = 0;
  uint64_t simulated_cycles = 0;  // of everything that was run
  double seconds = 0;             // that it took

  double busy() const { return static_cast<double>(beats) / static_cast<double>(cycles); }
  double macs_per_cycle() const { return static_cast<double>(macs) / static_cast<double>(cycles); }
  double simulated_khz() const { return static_cast<double>(simulated_cycles) / seconds / 1e3; }
};

// Four row blocks of full positions, full groups, `products` products of `groups` groups more than
// in the first run.
Throughput measure_throughput(ClockedTile& tile, Stream stream, size_t groups, size_t products);

}  // namespace rivulet
