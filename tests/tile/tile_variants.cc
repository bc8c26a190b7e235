// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/tile_variants.h"

#include <stdexcept>

#include "Vtile_group1.h"
#include "Vtile_group1_params.h"
#include "Vtile_group2.h"
#include "Vtile_group2_params.h"
#include "Vtile_group8.h"
#include "Vtile_group8_params.h"
#include "Vtile_q8only.h"
#include "Vtile_q8only_params.h"
#include "tb/tile/verilated_tile.h"

namespace rivulet {
namespace {

template <typename Top, typename Params>
TileVariant variant(const char* name) {
  return {.configuration = {.name = name,
                            .lanes = Params::kLanes,
                            .side_lanes = Params::kSideLanes,
                            .positions = Params::kPositions,
                            .align_w = Params::kAlignW,
                            .group = Params::kGroup,
                            .psum_depth = Params::kPsumDepth,
                            .result_depth = Params::kResultDepth,
                            .replay_beats = Params::kReplayBeats,
                            .replay_segments = Params::kReplaySegments,
                            .replay_quads = Params::kReplayQuads,
                            .x_values = Params::kXValues,
                            .load_pairs = Params::kLoadPairs,
                            .x_tiles = Params::kXTiles,
                            .y_rows = Params::kYRows,
                            .pe_kind = Params::kPeKind,
                            .q8_only = Params::kQ8Only},
          .make = make_verilated_tile<Top>};
}

std::vector<TileVariant> make_variants() {
  std::vector<TileVariant> variants{
      variant<Vtile_group1, Vtile_group1Params>("group1"),
      variant<Vtile_group2, Vtile_group2Params>("group2"),
      variant<Vtile_group8, Vtile_group8Params>("group8"),
      variant<Vtile_q8only, Vtile_q8onlyParams>("q8only"),
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
