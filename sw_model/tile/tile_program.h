// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What the ports of one tile carry for one or more matrix products.
//
// A product of any m, n, k >= 1 is cut as tile_plan.h says: row chunks, in them stripes of columns,
// in them groups in rising order. The columns of a stripe and group are read once, then every row
// block loads its tile and passes over them. A tile that fits all of k and m is loaded once; tiles
// that all stripes need stay in the x store if there is room. Products follow each other without a
// gap. Lanes, codes and scales that the tile must ignore carry `Padding`. Wrong sizes and products
// that the configuration cannot run throw std::invalid_argument, and nothing is added.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/numerics/bf16.h"
#include "sw_model/numerics/gemm.h"
#include "sw_model/tile/device.h"
#include "sw_model/tile/output_beat.h"
#include "sw_model/tile/tile_geometry.h"
#include "sw_model/tile/tile_plan.h"
#include "sw_model/tile/tile_streams.h"

namespace rivulet {

// One matrix product; the operands must outlive the call that takes it.
struct TileProduct {
  GemmShape shape;
  std::span<const Bf16> x;             // [m, k]
  std::span<const int8_t> codes = {};  // [n, k] stored codes; empty for a BF16 stream
  std::span<const Bf16> scale = {};    // [n, groups]; empty for a BF16 stream
  std::span<const Bf16> w = {};        // [n, k]; empty for codes
  ReadRequest read = {};               // of codes
  bool transpose = false;              // codes or values are stored along the outputs
  // Columns of codes that are read in their own way each, in order; empty: all of them as `read`.
  std::vector<ColumnSegment> segments = {};

  bool is_bf16() const { return !w.empty(); }
};

// What fills ignored places: zero, or values that spoil a result that looks at them.
enum class Padding { kZero, kPoison };

class TileProgram {
 public:
  explicit TileProgram(const Configuration& config, Padding padding = Padding::kZero);

  void add(const TileProduct& product);

  const TileGeometry& geometry() const { return geometry_; }
  const TileStreams& streams() const { return streams_; }
  size_t products() const { return products_.size(); }

  // The acc and y of each product from the output beats in order of arrival; `counts` stay 0.
  // A wrong number of beats, a misplaced `last` and a non-zero place beyond the matrix throw
  // Mismatch.
  std::vector<GemmResult> results(std::span<const OutputBeat> beats) const;
  // The output beats that carry these results.
  std::vector<OutputBeat> beats(std::span<const GemmResult> results) const;

 private:
  struct Chunk {  // of outputs that one `last` pass sends
    size_t product;
    size_t row;
    size_t rows;
    size_t column;
    size_t columns;
  };
  struct Place {  // of one output
    size_t product = 0;
    size_t index = 0;
    bool valid = false;
  };
  // What the passes of a row chunk have in common.
  struct Job {
    const TileProduct& product;
    const TilePlan& plan;
    TilePlan::Rows rows;
    size_t row_blocks;
    bool keep_tile;  // the one tile stays for all stripes
    bool store;      // the tiles stay in the x store
  };
  // One group of the lanes.
  struct Group {
    size_t number;
    size_t first;  // of k
    size_t lanes;
  };

  void check(const TileProduct& product) const;
  void add_rows(const TileProduct& product, const TilePlan& plan, const TilePlan::Rows& rows);
  void add_load(const Job& job, const Group& group, size_t row_block, bool first_stripe);
  void add_read(const Job& job, const Group& group, const TilePlan::Piece& piece);
  void add_passes(const Job& job, const Group& group, const TilePlan::Stripe& stripe,
                  size_t row_block, bool next_tile);
  void add_scales(const TileProduct& product, const Group& group, const TilePlan::Piece& piece);
  template <typename T>
  void add_units(std::vector<T>& stream, std::span<const T> source, size_t k, const Group& group,
                 const TilePlan::Piece& piece, size_t unit, size_t beat, T padding) const;
  template <typename T>
  void add_transposed(std::vector<T>& stream, std::span<const T> source, size_t k,
                      const Group& group, const TilePlan::Piece& piece, size_t outputs, size_t beat,
                      T padding) const;
  // Calls visit(places of the beat by row and column, last) for every output beat in order.
  template <typename Visit>
  void for_each_beat(Visit&& visit) const;

  TileGeometry geometry_;
  Bf16 value_padding_;
  int8_t code_padding_;
  TileStreams streams_;
  std::vector<GemmShape> products_;
  std::vector<Chunk> chunks_;
};

}  // namespace rivulet
