// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/tile_variants.h"

#include <stdexcept>

#include "tests/tile/small_configurations.h"

namespace rivulet {
namespace {

std::vector<TileVariant> make_variants() {
  std::vector<TileVariant> variants;
  for (const auto* list : {&small_configurations(), &configurations()}) {
    for (const Configuration& configuration : *list) variants.push_back({configuration});
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
