// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/tile_variants.h"

#include <stdexcept>

#include "Vtile_group1.h"
#include "Vtile_group2.h"
#include "Vtile_group8.h"
#include "Vtile_q8only.h"
#include "tb/tile/verilated_tile.h"
#include "tests/tile/small_configurations.h"

namespace rivulet {
namespace {

std::vector<TileVariant> make_variants() {
  std::vector<TileVariant> variants{
      {tested_configuration("group1"), make_verilated_tile<Vtile_group1>},
      {tested_configuration("group2"), make_verilated_tile<Vtile_group2>},
      {tested_configuration("group8"), make_verilated_tile<Vtile_group8>},
      {tested_configuration("q8only"), make_verilated_tile<Vtile_q8only>},
  };
  for (const Configuration& configuration : configurations()) {
    variants.push_back({configuration, make_rtl_tile});
  }
  return variants;
}

}  // namespace

const std::vector<TileVariant>& tile_variants() {
  static const std::vector<TileVariant> variants = make_variants();
  return variants;
}

const TileVariant& tile_variant(const std::string& name) {
  for (const TileVariant& variant : tile_variants()) {
    if (variant.configuration.name == name) return variant;
  }
  throw std::invalid_argument("no tile variant '" + name + "'");
}

}  // namespace rivulet
