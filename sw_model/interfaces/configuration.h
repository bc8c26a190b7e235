// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The named configurations of the tile: rtl/configs.json, compiled in.
//
// An unknown name throws std::invalid_argument that lists the known ones.

#include <cstddef>
#include <string>
#include <vector>

namespace rivulet {

// Most rows of a result beat.
constexpr size_t kMaxYRows = 4;

struct Configuration {
  std::string name;
  int lanes = 0;            // codes of 8 bits that one link beat carries
  int side_lanes = 0;       // lanes of the BF16 stream and of the transposing buffer
  int positions = 0;        // rows of a stationary tile
  int align_w = 0;          // widest aligned significand, bits
  int group = 0;            // lanes that share an exponent and a scale, at most
  int psum_depth = 0;       // columns of partial sums, of all row blocks together
  int result_depth = 0;     // columns of finished results that can wait
  int replay_beats = 0;     // link beats in the replay buffer
  int replay_segments = 0;  // segments in the replay buffer
  int replay_quads = 0;     // columns in the replay buffer, divided by four
  int x_values = 0;         // BF16 values of a beat of the x port
  int load_pairs = 0;       // lane pairs whose tables are built at a time
  int x_tiles = 0;          // stationary tiles in the x store
  int y_rows = 0;           // rows of a result beat
  int pe_kind = 0;          // how a PE multiplies; same results
  int q8_only = 0;          // 1: no q4 and q2 streams

  int link_bits() const { return 8 * lanes; }
  int peak_macs_per_cycle() const { return lanes * positions; }  // at q8
};

const std::vector<Configuration>& configurations();
const Configuration& configuration(const std::string& name);

}  // namespace rivulet
