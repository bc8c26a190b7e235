// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The one random generator of benches and tests: seeded, and the same numbers on every machine.
//
// The standard fixes std::mt19937_64 but not its distributions, so these are made here. A bench
// prints its seed; the same seed repeats the run. See tb/value_classes.h for weighted values.

#pragma once

#include <cstdint>
#include <random>

namespace rivulet {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // 64 random bits.
  std::uint64_t next() { return engine_(); }

  // Uniform in [0, bound); 0 for bound 0 (the deviation from uniform is below 2^-64 * bound).
  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

  // Uniform in [low, high], low <= high.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t offset = span == 0 ? next() : below(span);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
  }

  // Uniform in [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // True with probability `p`: never for 0, always for 1.
  bool chance(double p) { return unit() < p; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace rivulet
