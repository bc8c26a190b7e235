// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The driver of a tile, and streams that were written out beforehand on it.

#include <vector>

#include "sw_model/tile/output_beat.h"
#include "sw_model/tile/tile_streams.h"
#include "tb/block/block_driver.h"
#include "tb/tile/tile_block_ports.h"

namespace rivulet {

using TileDriver = BlockDriver<TileBlock>;
constexpr size_t kOutputPort = kTileStreams;  // of BlockStalls, after the inputs
constexpr size_t kTilePorts = kTileStreams + 1;

// Runs the streams to their last output beat and returns the beats in order of arrival.
std::vector<OutputBeat> run_streams(TileDriver& driver, const Configuration& configuration,
                                    const TileStreams& streams);

}  // namespace rivulet
