// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The named configurations of the tile: rtl/configs.json, compiled in.
//
// An unknown name throws std::invalid_argument that lists the known ones.

#include <string>
#include <vector>

namespace rivulet {

struct Configuration {
  std::string name;
  int lanes = 0;       // codes of 8 bits that one link beat carries
  int positions = 0;   // rows of a stationary tile
  int align_w = 0;     // widest aligned significand, bits
  int group = 0;       // lanes that share an exponent and a scale, at most
  int psum_depth = 0;  // columns of partial sums per position
  int pe_kind = 0;     // how a PE multiplies; same results
  int q8_only = 0;     // 1: no q4 and q2 streams

  int link_bits() const { return 8 * lanes; }
  int peak_macs_per_cycle() const { return lanes * positions; }  // at q8
};

const std::vector<Configuration>& configurations();
const Configuration& configuration(const std::string& name);

}  // namespace rivulet
