// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_plan.h"

#include <algorithm>
#include <limits>

namespace rivulet {
namespace {

constexpr size_t kRows = 64;        // that share a fetch; more would make the stripes short
constexpr size_t kFewColumns = 32;  // in half of the replay buffer: take all of it
constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();

}  // namespace

TilePlan::TilePlan(const TileGeometry& geometry, const TileProduct& product)
    : geometry_(geometry), product_(product), segments_(product.columns()) {}

// Columns of a stripe that take as long as the load of a tile.
size_t TilePlan::hiding_columns() const {
  size_t beats = 0;
  for (const Piece& piece : cut(0, product_.shape.n).pieces) {
    beats += geometry_.replay_beats(read_of(piece, 0));
  }
  const size_t columns =
      ceil_divide(geometry_.load_cycles() * product_.shape.n, std::max<size_t>(1, beats));
  return round_up(std::min(columns, product_.shape.n), TileGeometry::kQuad);
}

std::vector<Range> TilePlan::row_chunks() const {
  const size_t positions = geometry_.positions();
  const size_t most = std::clamp<size_t>(geometry_.psum_depth() / hiding_columns(), 1,
                                         std::max<size_t>(1, kRows / positions));
  const size_t blocks = ceil_divide(product_.shape.m, positions);
  const size_t count = ceil_divide(blocks, ceil_divide(blocks, most)) * positions;
  std::vector<Range> chunks;
  for (size_t row = 0; row < product_.shape.m; row += count) {
    chunks.push_back({.first = row, .count = std::min(count, product_.shape.m - row)});
  }
  return chunks;
}

TileRead TilePlan::read_of(const Piece& piece, size_t group) const {
  const ReadRequest& read =
      product_.lane_groups.empty() ? piece.read : product_.lane_groups[group].read;
  return {.bf16 = product_.is_bf16(),
          .tier = read.tier,
          .kind = read.kind,
          .view = read.view,
          .transpose = product_.transpose,
          .align_w = product_.shape.align_w,
          .lanes = static_cast<int>(product_.lanes(group)),
          .columns = static_cast<int>(piece.columns.count)};
}

// The pieces of columns [column, column + columns).
TilePlan::Stripe TilePlan::cut(size_t column, size_t columns) const {
  Stripe stripe;
  size_t begin = 0;  // of the segment
  for (const ColumnSegment& segment : segments_) {
    const size_t first = std::max(begin, column);
    begin += segment.columns;
    const size_t end = std::min(begin, column + columns);
    if (first >= end) continue;
    stripe.pieces.push_back({.columns = {first, end - first},
                             .psum_column = stripe.psum_columns,
                             .read = segment.read});
    stripe.psum_columns += round_up(end - first, TileGeometry::kQuad);
  }
  return stripe;
}

bool TilePlan::fits(const Stripe& stripe, size_t row_blocks, const Room& room) const {
  if (stripe.psum_columns * row_blocks > geometry_.psum_depth() ||
      stripe.pieces.size() > room.segments) {
    return false;
  }
  // The first of equal groups is the widest.
  const size_t groups = product_.lane_groups.empty() ? 1 : product_.lane_groups.size();
  for (size_t group = 0; group < groups; ++group) {
    size_t beats = 0;
    size_t quads = 0;
    for (const Piece& piece : stripe.pieces) {
      const TileRead read = read_of(piece, group);
      beats += geometry_.replay_beats(read);
      quads += geometry_.replay_quads(read);
    }
    if (beats > room.beats || quads > room.quads) return false;
  }
  return true;
}

// The longest stripe from `column` on that fits; 0 if none does.
size_t TilePlan::most_columns(size_t column, size_t row_blocks, const Room& room) const {
  size_t low = 0;
  size_t high = std::min(product_.shape.n - column, geometry_.psum_depth());
  while (low < high) {
    const size_t middle = (low + high + 1) / 2;
    if (fits(cut(column, middle), row_blocks, room)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// A stripe that ends inside a segment ends after a whole block of outputs, or a whole quad.
size_t TilePlan::rounded(size_t column, size_t columns) const {
  const Piece last = cut(column, columns).pieces.back();
  const Stripe longer = cut(column, columns + 1);
  if (longer.pieces.back().columns.first != last.columns.first ||
      column + columns == product_.shape.n) {
    return columns;
  }
  const size_t block =
      product_.transpose ? geometry_.block_outputs(product_.is_bf16()) : TileGeometry::kQuad;
  const size_t unit = last.columns.count >= block ? block : TileGeometry::kQuad;
  return last.columns.count >= unit ? columns - last.columns.count % unit : columns;
}

size_t TilePlan::stripe_columns(size_t column, size_t row_blocks) const {
  const Configuration& c = geometry_.configuration();
  const Room all{.beats = static_cast<size_t>(c.replay_beats),
                 .quads = static_cast<size_t>(c.replay_quads),
                 .segments = static_cast<size_t>(c.replay_segments)};
  const size_t left = product_.shape.n - column;
  size_t most = 0;
  if (row_blocks == 1) {  // nothing is replayed: the buffer is a FIFO
    most = most_columns(column, 1, {kNoLimit, kNoLimit, kNoLimit});
  } else {
    most = most_columns(column, row_blocks, {all.beats / 2, all.quads / 2, all.segments / 2});
    if (most < std::min(kFewColumns, left)) most = most_columns(column, row_blocks, all);
  }
  const size_t even = ceil_divide(left, ceil_divide(left, most));
  const size_t unit =
      product_.transpose ? geometry_.block_outputs(product_.is_bf16()) : TileGeometry::kQuad;
  return rounded(column, std::min(most, round_up(even, unit)));
}

std::vector<TilePlan::Stripe> TilePlan::stripes(size_t row_blocks) const {
  std::vector<Stripe> stripes;
  for (size_t column = 0; column < product_.shape.n;) {
    const size_t columns = stripe_columns(column, row_blocks);
    stripes.push_back(cut(column, columns));
    column += columns;
  }
  return stripes;
}

}  // namespace rivulet
