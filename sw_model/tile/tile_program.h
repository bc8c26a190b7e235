// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What the ports of one tile carry for one or more matrix products.
//
// A product of any m, n, k >= 1 is cut into row chunks of at most `positions`, in them column
// chunks of at most `psum_depth` (transposed: also at most `group`), in them one pass per group, in
// rising order. A tile that fits all of k is loaded once per row chunk. Products follow each other
// without a gap. Lanes, codes and scales that the tile must ignore carry `Padding`. Wrong sizes and
// products that the configuration cannot run throw std::invalid_argument.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/numerics/bf16.h"
#include "sw_model/numerics/gemm.h"
#include "sw_model/tile/device.h"
#include "sw_model/tile/tile_geometry.h"
#include "sw_model/tile/tile_pass.h"

namespace rivulet {

// One matrix product; the operands must outlive the call that takes it.
struct TileProduct {
  GemmShape shape;
  std::span<const Bf16> x;             // [m, k]
  std::span<const int8_t> codes = {};  // [n, k] stored codes; empty for a BF16 stream
  std::span<const Bf16> scale = {};    // [n, groups]; empty for a BF16 stream
  std::span<const Bf16> w = {};        // [n, k]; empty for codes
  ReadRequest read = {};               // of codes; not q0
  bool transpose = false;              // codes are stored along the outputs

  bool is_bf16() const { return !w.empty(); }
};

// What fills ignored places: zero, or values that spoil a result that looks at them.
enum class Padding { kZero, kPoison };

// One beat of outputs: four columns of one row.
struct OutputBeat {
  uint64_t y = 0;                 // four BF16
  std::array<uint32_t, 4> acc{};  // four FP32
  bool last = false;

  friend bool operator==(const OutputBeat&, const OutputBeat&) = default;
};

class TileProgram {
 public:
  explicit TileProgram(const Configuration& config, Padding padding = Padding::kZero);

  void add(const TileProduct& product);

  const TileGeometry& geometry() const { return geometry_; }
  const std::vector<TilePass>& passes() const { return passes_; }
  const std::vector<uint64_t>& x() const { return x_; }
  const std::vector<uint64_t>& scale() const { return scale_; }
  // word_codes() codes per word.
  const std::vector<int8_t>& words() const { return words_; }
  size_t word_count() const { return words_.size() / geometry_.word_codes(); }
  // stream_values() values per beat.
  const std::vector<Bf16>& w() const { return w_; }
  size_t w_beat_count() const { return w_.size() / geometry_.stream_values(); }
  size_t y_beat_count() const { return y_beats_; }
  size_t products() const { return products_.size(); }

  // The acc and y of each product from the output beats in order of arrival; `counts` stay 0.
  // A wrong number of beats, a misplaced `last` and a non-zero column beyond the matrix throw
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
    size_t product;
    size_t index;
    bool valid;
  };

  void add_pass(const TileProduct& product, const Chunk& chunk, size_t g, bool load);
  void add_x(const TileProduct& product, const TilePass& pass, const Chunk& chunk, size_t g);
  void add_scale(const TileProduct& product, const Chunk& chunk, size_t g);
  void add_codes(const TileProduct& product, const TilePass& pass, const Chunk& chunk, size_t g);
  void add_transposed_codes(const TileProduct& product, const TilePass& pass, const Chunk& chunk,
                            size_t g);
  void add_w(const TileProduct& product, const TilePass& pass, const Chunk& chunk, size_t g);
  // Calls visit(places of the four columns, last) for every output beat in order.
  template <typename Visit>
  void for_each_beat(Visit&& visit) const;

  TileGeometry geometry_;
  Bf16 value_padding_;
  int8_t code_padding_;
  std::vector<GemmShape> products_;
  std::vector<Chunk> chunks_;
  std::vector<TilePass> passes_;
  std::vector<uint64_t> x_;
  std::vector<uint64_t> scale_;
  std::vector<int8_t> words_;
  std::vector<Bf16> w_;
  size_t y_beats_ = 0;
};

}  // namespace rivulet
