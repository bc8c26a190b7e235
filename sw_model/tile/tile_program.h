// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What the ports of one tile carry for one or more matrix products, written out beforehand.
//
// Products follow each other without a gap. Wrong sizes and products that the configuration cannot
// run throw std::invalid_argument, and nothing is added. Devices, whose operands become known while
// they run, use tile_queue.h instead.

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/numerics/gemm.h"
#include "sw_model/tile/output_beat.h"
#include "sw_model/tile/result_walk.h"
#include "sw_model/tile/tile_packer.h"
#include "sw_model/tile/tile_product.h"
#include "sw_model/tile/tile_schedule.h"
#include "sw_model/tile/tile_streams.h"

namespace rivulet {

class TileProgram {
 public:
  explicit TileProgram(const Configuration& config, Padding padding = Padding::kZero);

  // The operands are needed during this call only.
  void add(const TileProduct& product);

  const TileGeometry& geometry() const { return geometry_; }
  const TileStreams& streams() const { return streams_; }
  size_t products() const { return entries_.size(); }

  // The acc and y of each product from the output beats in order of arrival; `counts` stay 0.
  // A wrong number of beats, a misplaced `last` and a non-zero place beyond the matrix throw
  // Mismatch.
  std::vector<GemmResult> results(std::span<const OutputBeat> beats) const;
  // The output beats that carry these results.
  std::vector<OutputBeat> beats(std::span<const GemmResult> results) const;

 private:
  struct Entry {
    GemmShape shape;
    TileSchedule schedule;
  };

  TileGeometry geometry_;
  TilePacker packer_;
  TileStreams streams_;
  std::deque<Entry> entries_;  // one per product
};

}  // namespace rivulet
