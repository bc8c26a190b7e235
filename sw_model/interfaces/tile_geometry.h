// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The sizes of one tile that follow from its parameters, and what its commands move.
//
// Lengths are in lanes, positions, columns and codes. Illegal parameters and commands throw
// std::invalid_argument that names the parameter, its value and its range.

#include <cstddef>

#include "sw_model/interfaces/configuration.h"
#include "sw_model/interfaces/tile_load.h"
#include "sw_model/interfaces/tile_pass.h"
#include "sw_model/interfaces/tile_read.h"

namespace rivulet {

constexpr size_t ceil_divide(size_t value, size_t divisor) {
  return (value + divisor - 1) / divisor;
}
constexpr size_t round_up(size_t value, size_t unit) { return ceil_divide(value, unit) * unit; }

class TileGeometry {
 public:
  explicit TileGeometry(const Configuration& configuration);

  const Configuration& configuration() const { return configuration_; }
  size_t lanes() const { return lanes_; }
  size_t side_lanes() const { return side_lanes_; }
  size_t positions() const { return positions_; }
  size_t group() const { return group_; }
  size_t psum_depth() const { return psum_depth_; }
  size_t x_tiles() const { return static_cast<size_t>(configuration_.x_tiles); }
  // Cycles of a full q8 unit.
  size_t sub() const { return group_ / lanes_; }
  // Edge units per position = columns that may finish in one cycle.
  size_t edges() const { return sub() >= 4 || configuration_.q8_only != 0 ? 1 : 4 / sub(); }
  // Whether a link beat can hold several units of codes; these are then padded to whole groups.
  bool shared_beats() const { return edges() > 1; }

  // Columns of a quad: of a scale beat, a result beat and a set of factors.
  static constexpr size_t kQuad = 4;
  // Values of x a beat, stored codes a converter word, BF16 values a beat of the w port.
  size_t x_values() const { return static_cast<size_t>(configuration_.x_values); }
  size_t word_codes() const { return 4 * lanes_; }
  size_t stream_values() const { return side_lanes_ / 2; }
  size_t y_rows() const { return static_cast<size_t>(configuration_.y_rows); }

  // Units of a read along the outputs arrive in blocks of so many outputs.
  size_t block_outputs(bool bf16) const { return bf16 ? group_ / 2 : group_; }
  // Whether the codes of a read in dot order are one request, each unit padded to the group.
  bool whole_units(size_t lanes) const { return shared_beats() || lanes == group_; }

  // Cycles in which a full tile can be loaded after the other.
  size_t load_cycles() const;

  // What a command moves over its ports, in beats and words.
  size_t x_beats(const TileLoad& load) const;
  size_t words(const TileRead& read) const;
  size_t w_beats(const TileRead& read) const;
  // Beats in which the converter delivers the codes of a read.
  size_t link_beats(const TileRead& read) const;
  size_t scale_beats(const TileRead& read) const;
  // What its segment takes in the replay buffer.
  size_t replay_beats(const TileRead& read) const;
  size_t replay_quads(const TileRead& read) const;
  // Result beats of a `last` pass.
  size_t y_beats(size_t rows, size_t columns) const;

  void check_load(const TileLoad& load) const;
  void check_read(const TileRead& read) const;
  // `columns` of the segment that the pass meets.
  void check_pass(const TilePass& pass, size_t columns) const;

 private:
  void check_widths() const;
  void check_loader() const;

  Configuration configuration_;
  size_t lanes_;
  size_t side_lanes_;
  size_t positions_;
  size_t group_;
  size_t psum_depth_;
};

}  // namespace rivulet
