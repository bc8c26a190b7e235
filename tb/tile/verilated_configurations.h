// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The configurations whose verilated tiles are part of this build.

#include <memory>
#include <vector>

#include "tb/tile/rtl_tile.h"

namespace rivulet {

struct VerilatedConfiguration {
  const char* name;
  std::unique_ptr<ClockedTile> (*make)(const Configuration&, const RtlTileOptions&);
};

// Defined in a generated file, see tb/tile/CMakeLists.txt.
const std::vector<VerilatedConfiguration>& verilated_configurations();

}  // namespace rivulet
