// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Stages of the array that the cycle models share: constants of rtl/rivulet_pkg.sv, and its
// functions of the same names written again.

#include <cstddef>

#include "sw_model/interfaces/wire/rivulet_pkg.h"

namespace rivulet {

// Cycles from the issue of a beat to the look-up of its digits.
constexpr size_t kLookupDelay = wire::kLookupDelay;

// Stages of the edge unit, and how far apart two updates of one partial sum must be.
constexpr size_t kEdgeStages = wire::kEdgeStages;
constexpr size_t kEdgeDistance = wire::kEdgeDistance;

// Levels of a tree that adds three numbers at a time.
constexpr size_t tree_levels(size_t inputs) {
  size_t levels = 0;
  for (; inputs > 1; inputs = (inputs + 2) / 3) ++levels;
  return levels;
}

// Cycles from the digits of a beat to its group partials.
constexpr size_t dot_stages(size_t lanes) { return 1 + tree_levels(lanes / 2) + 3; }

}  // namespace rivulet
