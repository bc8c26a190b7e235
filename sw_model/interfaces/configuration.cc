// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/interfaces/configuration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sw_model/interfaces/configurations_json.h"

namespace rivulet {

const std::vector<Configuration>& configurations() {
  static const std::vector<Configuration> all = [] {
    std::vector<Configuration> result;
    const auto json = nlohmann::ordered_json::parse(kConfigurationsJson);  // outlives its items()
    for (const auto& [name, entry] : json.items()) {
      result.push_back({.name = name,
                        .lanes = entry.at("Lanes"),
                        .side_lanes = entry.at("SideLanes"),
                        .positions = entry.at("Positions"),
                        .align_w = entry.at("AlignW"),
                        .group = entry.at("Group"),
                        .psum_depth = entry.at("PsumDepth"),
                        .result_depth = entry.at("ResultDepth"),
                        .replay_beats = entry.at("ReplayBeats"),
                        .replay_segments = entry.at("ReplaySegments"),
                        .replay_quads = entry.at("ReplayQuads"),
                        .x_values = entry.at("XValues"),
                        .load_pairs = entry.at("LoadPairs"),
                        .x_tiles = entry.at("XTiles"),
                        .y_rows = entry.at("YRows"),
                        .pe_kind = entry.at("PeKind"),
                        .q8_only = entry.value("Q8Only", 0)});
    }
    return result;
  }();
  return all;
}

const Configuration& configuration(const std::string& name) {
  std::vector<std::string> names;
  for (const Configuration& candidate : configurations()) {
    if (candidate.name == name) return candidate;
    names.push_back(candidate.name);
  }
  throw std::invalid_argument(
      fmt::format("unknown configuration '{}' (known: {})", name, fmt::join(names, ", ")));
}

}  // namespace rivulet
