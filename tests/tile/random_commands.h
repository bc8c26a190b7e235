// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Random legal sequences of tile commands with their streams and the result beats they must give.
//
// What the commands mean is written here a second time, apart from the compiler of jobs and from
// the models of the tile: stationary tiles from the port and the store, segments of every stream
// and order mixed in one window, replay, reuse of a tile, empty segments, several groups. Sums are
// exact integers, results follow docs/numerics.md. Places that the tile must ignore hold poison.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sw_model/interfaces/configuration.h"
#include "sw_model/tile/output_beat.h"
#include "sw_model/tile/tile_streams.h"
#include "tb/random.h"
#include "tb/value_classes.h"

namespace rivulet {

class RandomCommands {
 public:
  RandomCommands(const Configuration& configuration, Random& random);

  // A job of up to `max_columns` columns a row block.
  void add_job(size_t max_columns);

  // The streams of all jobs so far, and the result beats that they must give.
  const TileStreams& streams() const { return streams_; }
  const std::vector<OutputBeat>& results() const { return results_; }
  // Kinds of things that occurred, with how often: for the coverage of a test.
  const std::map<std::string, size_t>& seen() const { return seen_; }

 private:
  struct Tile {
    size_t rows = 0;
    size_t lanes = 0;
    int align_w = 0;
    std::vector<Bf16> x;             // [rows, lanes]
    std::vector<int16_t> aligned;    // [rows, lanes]
    std::vector<uint8_t> exponents;  // [rows]
  };
  // Columns of one read.
  struct Columns {
    TileRead read;
    std::vector<int16_t> values;     // [columns, lanes]: codes as delivered, or aligned
    std::vector<Bf16> scales;        // of codes
    std::vector<uint8_t> exponents;  // of BF16 columns
  };
  using Sums = std::vector<std::array<float, 256>>;  // [column, row], partial sums

  Bf16 value();
  View view();
  Tile load(size_t rows, size_t lanes);
  TileRead draw_read(size_t lanes, size_t columns);
  size_t replay_beats(const TileRead& read) const;
  Columns fetch(const TileRead& read);
  void add_codes(const TileRead& read, const std::vector<int8_t>& codes);
  void add_values(const TileRead& read, const std::vector<Bf16>& values);
  void run(const TilePass& pass, const Columns& columns);
  void send(const Columns& columns, const std::vector<std::array<float, 256>>& sums);
  template <typename T>
  void fill_up(std::vector<T>& stream, size_t unit, T poison);

  const Configuration configuration_;
  size_t group_;
  bool shared_;
  Random& random_;
  ValueClasses values_{"bf16"};
  ValueClasses finite_{"bf16_finite"};
  ValueClasses codes_{"q8_code"};
  bool specials_ = false;  // in this job
  bool largest_ = false;   // all values of this job have the largest magnitude,
  bool one_sign_ = false;  // and those of a tile or a read one sign: negative
  TileStreams streams_;
  std::vector<OutputBeat> results_;
  std::map<std::string, size_t> seen_;
  std::map<size_t, Tile> store_;  // by slot
  Tile tile_;                     // the present one
  Sums sums_;
};

}  // namespace rivulet
