// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The verilated tile as a ClockedTile, for each configuration that was built.
//
// All registers start at random values drawn from the seed. The parameters that the RTL shows at
// info_o are compared with the configuration (std::runtime_error if they differ). A violated
// assertion of the RTL is printed by the model and throws Mismatch (device_error.h).

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sw_model/interfaces/wire/tile_info.h"
#include "sw_model/tile/clocked_tile.h"

namespace rivulet {

struct RtlTileOptions {
  uint64_t seed = 1;
  std::string trace_file = {};  // FST; empty = no trace
  uint64_t trace_start = 0;     // first and last cycle of the waves
  uint64_t trace_stop = std::numeric_limits<uint64_t>::max();
};

// Whether this build has a model of the configuration (CMake option RIVULET_RTL_CONFIGURATIONS).
bool has_rtl_tile(const Configuration& configuration);

// The tile of a configuration; one that was not built throws std::invalid_argument.
std::unique_ptr<ClockedTile> make_rtl_tile(const Configuration& configuration,
                                           const RtlTileOptions& options);

// Throws std::runtime_error if a parameter that the RTL says it was built with is not that of the
// configuration.
void check_tile_info(const Configuration& configuration, const wire::TileInfo& info);

}  // namespace rivulet
