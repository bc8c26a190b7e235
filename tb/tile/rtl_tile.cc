// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/rtl_tile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "tb/tile/verilated_configurations.h"

namespace rivulet {

std::unique_ptr<ClockedTile> make_rtl_tile(const Configuration& configuration,
                                           const RtlTileOptions& options) {
  std::vector<std::string> names;
  for (const VerilatedConfiguration& built : verilated_configurations()) {
    if (configuration.name == built.name) return built.make(configuration, options);
    names.emplace_back(built.name);
  }
  throw std::invalid_argument(
      fmt::format("this program has no RTL model of configuration '{}' (it has: {})",
                  configuration.name, fmt::join(names, ", ")));
}

bool has_rtl_tile(const Configuration& configuration, bool traced) {
  const auto& built = verilated_configurations();
  return std::any_of(built.begin(), built.end(), [&](const VerilatedConfiguration& candidate) {
    return configuration.name == candidate.name && (candidate.traced || !traced);
  });
}

void check_tile_info(const Configuration& configuration, const wire::TileInfo& info) {
  const auto check = [&](const char* parameter, int expected, int got) {
    if (expected == got) return;
    throw std::runtime_error(fmt::format(
        "configuration '{}': {} is {}, but the RTL model was built with {}: build again",
        configuration.name, parameter, expected, got));
  };
  check("Lanes", configuration.lanes, info.lanes);
  check("SideLanes", configuration.side_lanes, info.side_lanes);
  check("Positions", configuration.positions, info.positions);
  check("AlignW", configuration.align_w, info.align_w);
  check("Group", configuration.group, info.group);
  check("PsumDepth", configuration.psum_depth, info.psum_depth);
  check("ResultDepth", configuration.result_depth, info.result_depth);
  check("ReplayBeats", configuration.replay_beats, info.replay_beats);
  check("ReplaySegments", configuration.replay_segments, info.replay_segments);
  check("ReplayQuads", configuration.replay_quads, info.replay_quads);
  check("XValues", configuration.x_values, info.x_values);
  check("LoadPairs", configuration.load_pairs, info.load_pairs);
  check("XTiles", configuration.x_tiles, info.x_tiles);
  check("YRows", configuration.y_rows, info.y_rows);
  check("PeKind", configuration.pe_kind, info.pe_kind);
  check("Q8Only", configuration.q8_only, info.q8_only);
}

}  // namespace rivulet
