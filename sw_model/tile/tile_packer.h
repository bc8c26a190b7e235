// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What the data ports of a tile carry for the commands of a product: rows of x for a load; words or
// values, and scales, for a read.
//
// Each function appends whole beats. Lanes, codes and scales that the tile must ignore carry
// `Padding`.

#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/numerics/bf16.h"
#include "sw_model/tile/tile_product.h"
#include "sw_model/tile/tile_schedule.h"

namespace rivulet {

// What fills ignored places: zero, or values that spoil a result that looks at them.
enum class Padding { kZero, kPoison };

class TilePacker {
 public:
  TilePacker(const TileGeometry& geometry, Padding padding);

  void add_x(const TileProduct& product, const TileSchedule::Load& load,
             std::vector<Bf16>& x) const;
  void add_words(const TileProduct& product, const TileSchedule::Read& read,
                 std::vector<int8_t>& words) const;
  void add_w(const TileProduct& product, const TileSchedule::Read& read,
             std::vector<Bf16>& w) const;
  void add_scales(const TileProduct& product, const TileSchedule::Read& read,
                  std::vector<uint64_t>& scales) const;

 private:
  template <typename T>
  void add_operand(const TileProduct& product, const TileSchedule::Read& read,
                   std::span<const T> operand, size_t unit, size_t beat, T padding,
                   std::vector<T>& stream) const;

  TileGeometry geometry_;
  Bf16 value_padding_;
  int8_t code_padding_;
};

}  // namespace rivulet
