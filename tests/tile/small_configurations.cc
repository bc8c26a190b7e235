// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/small_configurations.h"

namespace rivulet {

const std::vector<Configuration>& small_configurations() {
  static const std::vector<Configuration> all{
      {.name = "group1",
       .lanes = 16,
       .side_lanes = 8,
       .positions = 1,
       .align_w = 12,
       .group = 16,
       .psum_depth = 48,
       .result_depth = 8,
       .replay_beats = 24,
       .replay_segments = 3,
       .replay_quads = 12,
       .x_values = 4,
       .load_pairs = 2,
       .x_tiles = 3,
       .y_rows = 1,
       .pe_kind = 0,
       .q8_only = 0},
      {.name = "group2",
       .lanes = 16,
       .side_lanes = 16,
       .positions = 2,
       .align_w = 16,
       .group = 32,
       .psum_depth = 44,
       .result_depth = 12,
       .replay_beats = 40,
       .replay_segments = 5,
       .replay_quads = 11,
       .x_values = 8,
       .load_pairs = 4,
       .x_tiles = 0,
       .y_rows = 2,
       .pe_kind = 1,
       .q8_only = 0},
      {.name = "group8",
       .lanes = 8,
       .side_lanes = 8,
       .positions = 5,
       .align_w = 10,
       .group = 64,
       .psum_depth = 40,
       .result_depth = 20,
       .replay_beats = 72,
       .replay_segments = 2,
       .replay_quads = 10,
       .x_values = 2,
       .load_pairs = 2,
       .x_tiles = 2,
       .y_rows = 3,
       .pe_kind = 1,
       .q8_only = 0},
      {.name = "q8only",
       .lanes = 16,
       .side_lanes = 4,
       .positions = 2,
       .align_w = 16,
       .group = 16,
       .psum_depth = 40,
       .result_depth = 4,
       .replay_beats = 17,
       .replay_segments = 1,
       .replay_quads = 5,
       .x_values = 4,
       .load_pairs = 2,
       .x_tiles = 5,
       .y_rows = 4,
       .pe_kind = 0,
       .q8_only = 1},
  };
  return all;
}

const Configuration& tested_configuration(const std::string& name) {
  for (const Configuration& candidate : small_configurations()) {
    if (candidate.name == name) return candidate;
  }
  return configuration(name);
}

}  // namespace rivulet
