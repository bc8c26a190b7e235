// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Random operands of one matrix product, drawn from weighted classes
// (tests/data/operand_classes.json, tests/data/value_classes.json), and its golden result.

#include <cstdint>
#include <string>
#include <vector>

#include "sw_model/interfaces/stream.h"
#include "sw_model/tile/tile_program.h"
#include "tb/random.h"
#include "tb/value_classes.h"
#include "tb/weighted_choice.h"
#include "tests/tile/tile_shapes.h"

namespace rivulet {

struct OwnedProduct {
  GemmShape shape;
  Stream stream = Stream::kQ8;
  bool transpose = false;
  ReadRequest read;
  std::vector<Bf16> x, scale, w;
  std::vector<int8_t> codes;
  std::vector<ColumnSegment> segments;  // empty: all columns as `read`
  std::vector<LaneGroup> lane_groups;   // empty: all of k

  TileProduct product() const;
  GemmResult golden() const;
  std::string describe() const;
};

class ProductSource {
 public:
  ProductSource();

  // A product whose group and align_w the configuration can run.
  OwnedProduct draw(Random& random, const Configuration& configuration, const TileShape& shape,
                    Stream stream, bool transpose = false);

  // Splits the columns of a product of codes into segments that are read in their own way each, q0
  // included.
  void mix(Random& random, const Configuration& configuration, OwnedProduct& product);

  // Gathers the lanes of a transposed product of codes in groups that are read in their own way
  // each; some are left out.
  void gather(Random& random, const Configuration& configuration, OwnedProduct& product);

  // Names of the classes of operands and values that were never drawn; empty is good.
  std::string never_drawn() const;

 private:
  void fill(Random& random, size_t kind, std::vector<Bf16>& values, size_t rows);

  WeightedChoice kinds_;
  ValueClasses values_{"bf16"};
  ValueClasses finite_{"bf16_finite"};
  ValueClasses codes_{"q8_code"};
};

}  // namespace rivulet
