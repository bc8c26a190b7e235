// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The commands that run one matrix product on a tile, in the order of their streams.
//
// The product is cut as tile_plan.h says: row chunks, in them stripes of columns, in them groups in
// rising order. The columns of a stripe and group are read once, then every row block loads its
// tile and passes over them. A tile that fits all of k and m is loaded once; tiles that all stripes
// need stay in the x store if there is room. Products that the configuration cannot run throw
// std::invalid_argument.

#include <cstddef>
#include <vector>

#include "sw_model/common/range.h"
#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/tile/tile_plan.h"
#include "sw_model/tile/tile_product.h"

namespace rivulet {

class TileSchedule {
 public:
  // A command and the part of the product that it is about.
  struct Load {
    TileLoad command;
    Range rows;
    size_t group = 0;
  };
  struct Read {
    TileRead command;
    Range columns;
    size_t group = 0;
  };
  struct Pass {
    TilePass command;
    Range rows;
    Range columns;
  };

  TileSchedule(const TileGeometry& geometry, const TileProduct& product);

  const std::vector<Load>& loads() const { return loads_; }
  const std::vector<Read>& reads() const { return reads_; }
  const std::vector<Pass>& passes() const { return passes_; }

 private:
  // What the passes of a row chunk have in common.
  struct Chunk {
    Range rows;
    size_t row_blocks = 0;
    bool keep_tile = false;  // the one tile stays for all stripes
    bool store = false;      // the tiles stay in the x store
  };

  void check(const TileGeometry& geometry, const TileProduct& product) const;
  void add_chunk(const TileGeometry& geometry, const TileProduct& product, const TilePlan& plan,
                 const Range& rows);
  void add_load(const TileGeometry& geometry, const TileProduct& product, const Chunk& chunk,
                const Range& rows, size_t group, bool first_stripe);
  void add_passes(const TileGeometry& geometry, const TileProduct& product, const Chunk& chunk,
                  const TilePlan::Stripe& stripe, const Range& rows, size_t group, bool next_tile);

  std::vector<Load> loads_;
  std::vector<Read> reads_;
  std::vector<Pass> passes_;
};

}  // namespace rivulet
