// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// How a matrix product is cut so that its columns are fetched once for as many rows as possible.
//
// Rows: chunks of whole row blocks (`positions` rows each) that share every fetch, up to 64 rows
// and no more than leaves stripes long enough to hide the load of a tile. Columns: stripes whose
// partial sums fit for all row blocks of the chunk and whose segments fit in the replay buffer:
// half of it, so that the next group is fetched meanwhile. Chunks and stripes are about equal, so
// that none is too short to hide the load of a tile.

#include <cstddef>
#include <vector>

#include "sw_model/common/range.h"
#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/tile/tile_product.h"

namespace rivulet {

class TilePlan {
 public:
  // Columns of one segment in one stripe.
  struct Piece {
    Range columns;
    size_t psum_column = 0;  // from the first one of the row block, a multiple of 4
    ReadRequest read;
  };
  struct Stripe {
    std::vector<Piece> pieces;
    size_t psum_columns = 0;  // of a row block
  };

  // Both outlive the plan.
  TilePlan(const TileGeometry& geometry, const TileProduct& product);

  std::vector<Range> row_chunks() const;
  std::vector<Stripe> stripes(size_t row_blocks) const;

  // The read of a piece in one group of lanes.
  TileRead read_of(const Piece& piece, size_t group) const;

 private:
  // Room in the replay buffer.
  struct Room {
    size_t beats = 0;
    size_t quads = 0;
    size_t segments = 0;
  };

  Stripe cut(size_t column, size_t columns) const;
  size_t hiding_columns() const;
  bool fits(const Stripe& stripe, size_t row_blocks, const Room& room) const;
  size_t most_columns(size_t column, size_t row_blocks, const Room& room) const;
  size_t stripe_columns(size_t column, size_t row_blocks) const;
  size_t rounded(size_t column, size_t columns) const;

  const TileGeometry& geometry_;
  const TileProduct& product_;
  std::vector<ColumnSegment> segments_;
};

}  // namespace rivulet
