// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A row of equal matrix products on one device, every word compared with the golden model, and what
// the counters of the tile say of it.

#include <functional>
#include <memory>
#include <string>

#include "sw_model/interfaces/configuration.h"
#include "sw_model/interfaces/stream.h"
#include "sw_model/tile/device.h"

namespace rivulet {

struct BenchCase {
  std::string layer = {};  // whose shape it is; empty: none
  size_t m = 0;            // rows
  size_t n = 0;            // columns
  size_t k = 0;
  Stream stream = Stream::kQ8;
  bool transpose = false;  // the stored operand lies along the outputs
  size_t jobs = 1;         // all submitted at once
  // Goals: share of the cycles in which codes enter the array, with the products that the width
  // makes of it; each stored byte fetched once. 0: none.
  double least_busy = 0;

  // What tells it from every other case of a configuration.
  std::string key() const;
};

struct BenchResult {
  uint64_t words_compared = 0;
  Counters counters;

  BenchResult& operator+=(const BenchResult& other);
  uint64_t delivered_bytes() const;  // over the link, at their width
  double busy() const;               // share of the cycles in which codes entered the array
  double macs_per_cycle() const;
  double fetched() const;    // bytes over the memory port for each byte stored
  double delivered() const;  // bytes over the link for each byte stored
};

// Products a cycle when the array is always busy.
double peak_macs(const Configuration& configuration, Stream stream);

// Whether the result is as good as the case asks for.
bool meets_goal(const Configuration& configuration, const BenchCase& bench_case,
                const BenchResult& result);

using MakeDevice = std::function<std::unique_ptr<TileDevice>(const Configuration&)>;

// Throws Mismatch if a word differs, or if busy and idle cycles do not add up to all.
BenchResult run_case(const Configuration& configuration, const BenchCase& bench_case,
                     const MakeDevice& make_device);

}  // namespace rivulet
