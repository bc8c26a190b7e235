// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace rivulet {

TileSchedule::TileSchedule(const TileGeometry& geometry, const TileProduct& product) {
  check_product(product);
  check(geometry, product);
  const TilePlan plan(geometry, product);
  for (const Range& rows : plan.row_chunks()) add_chunk(geometry, product, plan, rows);
  passes_.front().command.job_first = true;
}

void TileSchedule::check(const TileGeometry& geometry, const TileProduct& product) const {
  const GemmShape& shape = product.shape;
  if (shape.group > geometry.group()) {
    throw std::invalid_argument(
        fmt::format("group {} is larger than the {} lanes of configuration '{}'", shape.group,
                    geometry.group(), geometry.configuration().name));
  }
  geometry.check_load({.align_w = shape.align_w, .rows = 1, .lanes = 1});
  for (const ColumnSegment& segment : product.columns()) {
    for (size_t group = 0; group < std::max<size_t>(1, product.lane_groups.size()); ++group) {
      const ReadRequest& read = product.read_of(segment, group);
      geometry.check_read({.bf16 = product.is_bf16(),
                           .tier = read.tier,
                           .view = read.view,
                           .align_w = shape.align_w,
                           .lanes = 1,
                           .columns = 1});
    }
  }
}

void TileSchedule::add_chunk(const TileGeometry& geometry, const TileProduct& product,
                             const TilePlan& plan, const Range& rows) {
  const size_t positions = geometry.positions();
  const size_t row_blocks = ceil_divide(rows.count, positions);
  const std::vector<TilePlan::Stripe> stripes = plan.stripes(row_blocks);
  const size_t tiles = row_blocks * product.groups();
  const Chunk chunk{.rows = rows,
                    .row_blocks = row_blocks,
                    .keep_tile = tiles == 1,
                    .store = stripes.size() > 1 && tiles > 1 && tiles <= geometry.x_tiles()};
  for (const TilePlan::Stripe& stripe : stripes) {
    const bool first_stripe = &stripe == &stripes.front();
    for (size_t group = 0; group < product.groups(); ++group) {
      for (const TilePlan::Piece& piece : stripe.pieces) {
        const TileRead read = plan.read_of(piece, group);
        geometry.check_read(read);
        reads_.push_back({.command = read, .columns = piece.columns, .group = group});
      }
      for (size_t row = 0; row < rows.count; row += positions) {
        const Range block{rows.first + row, std::min(positions, rows.count - row)};
        const bool load = first_stripe || !chunk.keep_tile;
        if (load) add_load(geometry, product, chunk, block, group, first_stripe);
        add_passes(geometry, product, chunk, stripe, block, group, load);
      }
    }
  }
}

void TileSchedule::add_load(const TileGeometry& geometry, const TileProduct& product,
                            const Chunk& chunk, const Range& rows, size_t group,
                            bool first_stripe) {
  const size_t row_block = (rows.first - chunk.rows.first) / geometry.positions();
  const TileLoad load{
      .from_store = chunk.store && !first_stripe,
      .keep = chunk.store && first_stripe,
      .slot = chunk.store ? static_cast<int>(group * chunk.row_blocks + row_block) : 0,
      .align_w = product.shape.align_w,
      .rows = static_cast<int>(rows.count),
      .lanes = static_cast<int>(product.lanes(group))};
  geometry.check_load(load);
  loads_.push_back({.command = load, .rows = rows, .group = group});
}

void TileSchedule::add_passes(const TileGeometry& geometry, const TileProduct& product,
                              const Chunk& chunk, const TilePlan::Stripe& stripe, const Range& rows,
                              size_t group, bool next_tile) {
  const size_t row_block = (rows.first - chunk.rows.first) / geometry.positions();
  for (const TilePlan::Piece& piece : stripe.pieces) {
    const bool first_piece = &piece == &stripe.pieces.front();
    const TilePass pass{
        .next_tile = next_tile && first_piece,
        .first = group == 0,
        .last = group + 1 == product.groups(),
        .rewind = first_piece,
        .free = row_block + 1 == chunk.row_blocks,
        .base = static_cast<int>(row_block * stripe.psum_columns + piece.psum_column)};
    geometry.check_pass(pass, piece.columns.count);
    passes_.push_back({.command = pass, .rows = rows, .columns = piece.columns});
  }
}

}  // namespace rivulet
