// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Which cycles of a simulation are written to which wave file, and what came of it.

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace rivulet {

inline constexpr std::uint64_t kLastCycle = std::numeric_limits<std::uint64_t>::max();

struct WaveResult {
  std::string file;
  std::uint64_t start = 0, stop = kLastCycle;  // the window asked for
  std::uint64_t cycles = 0;                    // that the simulation lasted
  int signal = 0;                              // that ended it

  // Whether the file was written: the simulation reached the window.
  bool written() const { return cycles > start; }
  // The last cycle in the file.
  std::uint64_t last() const { return cycles - 1 < stop ? cycles - 1 : stop; }
};

// "waves: gtkwave F  (cycles 100 to 300)", or why there are none or fewer than asked for.
std::string wave_message(const WaveResult& result);

struct WaveOptions {
  std::string file;         // FST; empty: no waves
  std::uint64_t start = 0;  // first and last cycle
  std::uint64_t stop = kLastCycle;
  // Told when the file is complete; without it wave_message() goes to standard error.
  std::function<void(const WaveResult&)> on_close = nullptr;
};

}  // namespace rivulet
