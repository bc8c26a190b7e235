// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The configurations whose verilated tiles are part of this program.

#include <memory>
#include <vector>

#include "tb/tile/rtl_tile.h"

namespace rivulet {

struct VerilatedConfiguration {
  const char* name;
  std::unique_ptr<ClockedTile> (*make)(const Configuration&, const RtlTileOptions&);
  bool traced;  // it can write waves
};

// Defined in a generated file, see tb/cmake/rivulet_models.cmake; in a program without one, empty.
const std::vector<VerilatedConfiguration>& verilated_configurations();

}  // namespace rivulet
