// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The counters at the status port of the tile since reset (docs/interfaces.md, tile_counters_t).
// 48 bits each in hardware, where they saturate.

#include "sw_model/interfaces/wire/tile_counters.h"

namespace rivulet {

using TileCounters = wire::TileCounters;

}  // namespace rivulet
