// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The odd shapes of tests/data/shapes.json for one configuration.
//
// A size is a number, or a letter with a factor before and an offset behind it, such as "2M+1":
// M = Positions, D = PsumDepth, G = Group, L = Lanes. Anything else throws std::runtime_error.

#include <cstddef>
#include <string>
#include <vector>

#include "sw_model/interfaces/configuration.h"

namespace rivulet {

struct TileShape {
  size_t m = 0;
  size_t n = 0;
  size_t k = 0;
};

inline constexpr const char* kShapesFile = "tests/data/shapes.json";

// The list of shapes, and every combination of the sizes.
std::vector<TileShape> tile_shapes(const Configuration& configuration,
                                   const std::string& file = kShapesFile);
std::vector<TileShape> tile_shape_product(const Configuration& configuration,
                                          const std::string& file = kShapesFile);

}  // namespace rivulet
