// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The verilated tile as a ClockedTile, for each configuration whose model this program has
// (rivulet_link_tiles of tb/cmake/rivulet_models.cmake).
//
// All registers start at random values drawn from the seed. The parameters that the RTL shows at
// info_o are compared with the configuration (std::runtime_error if they differ). A violated
// assertion of the RTL is printed by the model and throws Mismatch (device_error.h).

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sw_model/interfaces/wire/tile_info.h"
#include "sw_model/tile/clocked_tile.h"
#include "tb/wave_options.h"

namespace rivulet {

struct RtlTileOptions {
  uint64_t seed = 1;
  WaveOptions waves = {};
};

// Whether this program has a model of the configuration, and if asked for one that writes waves.
bool has_rtl_tile(const Configuration& configuration, bool traced = false);

// The tile of a configuration; one that this program does not have throws std::invalid_argument.
std::unique_ptr<ClockedTile> make_rtl_tile(const Configuration& configuration,
                                           const RtlTileOptions& options);

// Throws std::runtime_error if a parameter that the RTL says it was built with is not that of the
// configuration.
void check_tile_info(const Configuration& configuration, const wire::TileInfo& info);

}  // namespace rivulet
