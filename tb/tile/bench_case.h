// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A row of equal matrix products on one device, every word compared with the golden model, and what
// the counters of the tile say of it.

#include <functional>
#include <memory>
#include <string>

#include "sw_model/tile/configuration.h"
#include "sw_model/tile/device.h"
#include "sw_model/tile/stream.h"

namespace rivulet {

struct BenchCase {
  std::string name;  // of the layer; empty: none
  size_t m = 0;      // rows
  size_t n = 0;      // columns
  size_t k = 0;
  Stream stream = Stream::kQ8;
  bool transpose = false;  // the stored operand lies along the outputs

  // What tells it from every other case of a configuration.
  std::string key() const;
};

struct BenchResult {
  uint64_t words_compared = 0;
  Counters counters;

  double busy() const;            // share of the cycles in which codes entered the array
  double macs_per_cycle() const;  // products a cycle
  double fetched() const;         // bytes over the memory port for each byte stored
};

using MakeDevice = std::function<std::unique_ptr<TileDevice>(const Configuration&)>;

// Runs `jobs` products of the case, all submitted at once. Throws Mismatch if a word differs, or if
// the cycles that the counters name do not add up to all.
BenchResult run_case(const Configuration& configuration, const BenchCase& bench_case, size_t jobs,
                     const MakeDevice& make_device);

}  // namespace rivulet
