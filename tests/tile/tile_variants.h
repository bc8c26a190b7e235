// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The RTL builds of the tile that the tests run: the named configurations, and small builds with
// other parameters (PE kind, alignment width, one to eight parts of a group, one position).

#include <string>
#include <vector>

#include "sw_model/tile/clocked_tile.h"
#include "tb/tile/rtl_tile.h"

namespace rivulet {

struct TileVariant {
  Configuration configuration;
  // Whether this program has its model: a twin with waves has one, and CMake's
  // RIVULET_TEST_TILES may leave out some.
  bool present() const { return has_rtl_tile(configuration); }
};

// Every variant of the small builds, and the named configurations.
const std::vector<TileVariant>& tile_variants();
// Throws std::invalid_argument if there is none of that name.
const TileVariant& tile_variant(const std::string& name);

}  // namespace rivulet
