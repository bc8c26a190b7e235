// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/rtl_tile.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "tb/tile/tile_ports.h"

namespace rivulet {

// One function per verilated configuration, from verilated_tile.cc.in.
using MakeTile = std::unique_ptr<ClockedTile>(const Configuration&, const RtlTileOptions&);
MakeTile make_verilated_tile_unit;
MakeTile make_verilated_tile_edge;
MakeTile make_verilated_tile_kv260;

std::unique_ptr<ClockedTile> make_rtl_tile(const Configuration& configuration,
                                           const RtlTileOptions& options) {
  const std::array<std::pair<const char*, MakeTile*>, 3> built{
      {{"unit", make_verilated_tile_unit},
       {"edge", make_verilated_tile_edge},
       {"kv260", make_verilated_tile_kv260}}};
  for (const auto& [name, make] : built) {
    if (configuration.name == name) return make(configuration, options);
  }
  throw std::invalid_argument(fmt::format(
      "configuration '{}' has no RTL model: it is not listed in tb/tile", configuration.name));
}

void check_tile_info(const Configuration& configuration, const Configuration& info) {
  const auto check = [&](const char* parameter, int expected, int got) {
    if (expected == got) return;
    throw std::runtime_error(fmt::format(
        "configuration '{}': {} is {}, but the RTL model was built with {}: build again",
        configuration.name, parameter, expected, got));
  };
  check("Lanes", configuration.lanes, info.lanes);
  check("Positions", configuration.positions, info.positions);
  check("AlignW", configuration.align_w, info.align_w);
  check("Group", configuration.group, info.group);
  check("PsumDepth", configuration.psum_depth, info.psum_depth);
  check("PeKind", configuration.pe_kind, info.pe_kind);
}

}  // namespace rivulet
