// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The status ports of the verilated tile as C++ values: tile_counters_t and tile_info_t of
// rtl/tile/rivulet_tile_pkg.sv.

#include <array>
#include <cstdint>
#include <vector>

#include "sw_model/interfaces/configuration.h"
#include "sw_model/tile/tile_counters.h"
#include "tb/bits.h"

namespace rivulet {

// Fields of a packed struct, from the most significant one (its first member) down.
template <unsigned N>
class FieldReader {
 public:
  explicit FieldReader(const Bits<N>& bits) : bits_(bits) {}

  uint64_t next(unsigned width) {
    left_ -= width;
    return bits_.get(left_, width);
  }
  // An array: its last element comes first.
  template <size_t kSize>
  std::array<uint64_t, kSize> next_array(unsigned width) {
    std::array<uint64_t, kSize> values{};
    for (size_t i = kSize; i-- > 0;) values[i] = next(width);
    return values;
  }

 private:
  const Bits<N>& bits_;
  unsigned left_ = N;
};

constexpr unsigned kCountBits = 48;
constexpr unsigned kTileCountersBits = 33 * kCountBits;
constexpr unsigned kTileInfoBits = 16 * 16;

template <typename Port>
TileCounters read_tile_counters(const Port& port) {
  const Bits<kTileCountersBits> bits = read_port<kTileCountersBits>(port);
  FieldReader<kTileCountersBits> reader(bits);
  TileCounters counters;
  counters.cycles = reader.next(kCountBits);
  counters.array_beats = reader.template next_array<4>(kCountBits);
  counters.carry_beats = reader.next(kCountBits);
  counters.macs = reader.template next_array<4>(kCountBits);
  counters.wait_no_job = reader.next(kCountBits);
  counters.wait_first_load = reader.next(kCountBits);
  counters.wait_load = reader.next(kCountBits);
  counters.wait_codes = reader.next(kCountBits);
  counters.wait_scales = reader.next(kCountBits);
  counters.wait_psum = reader.next(kCountBits);
  counters.wait_results = reader.next(kCountBits);
  counters.loads = reader.next(kCountBits);
  counters.x_beats = reader.next(kCountBits);
  counters.w_beats = reader.next(kCountBits);
  counters.scale_beats = reader.next(kCountBits);
  counters.y_beats = reader.next(kCountBits);
  counters.words = reader.next(kCountBits);
  counters.special = reader.next(kCountBits);
  counters.saturated = reader.next(kCountBits);
  counters.converter.codes = reader.template next_array<4>(kCountBits);
  counters.converter.beats = reader.template next_array<4>(kCountBits);
  return counters;
}

// The parameters that the RTL says it was built with; it has no name.
template <typename Port>
Configuration read_tile_info(const Port& port) {
  const Bits<kTileInfoBits> bits = read_port<kTileInfoBits>(port);
  FieldReader<kTileInfoBits> reader(bits);
  Configuration info;
  for (int* field : {&info.lanes, &info.side_lanes, &info.positions, &info.align_w, &info.group,
                     &info.psum_depth, &info.result_depth, &info.replay_beats,
                     &info.replay_segments, &info.replay_quads, &info.x_values, &info.load_pairs,
                     &info.x_tiles, &info.y_rows, &info.pe_kind, &info.q8_only}) {
    *field = static_cast<int>(reader.next(16));
  }
  return info;
}

// Throws std::runtime_error if a parameter of the RTL is not that of the configuration.
void check_tile_info(const Configuration& configuration, const Configuration& info);

}  // namespace rivulet
