// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The wave file of a test program: one for all the simulations of a run.
//
// It shows the first simulation whose test fails, else the last one that reached the window
// (--trace-start), or the one that --trace-simulation names. Of several simulations that are alive
// at once the first is shown.

#pragma once

#include <cstdint>
#include <string>

#include "tb/wave_options.h"

namespace rivulet {

// One simulation, as long as it lives: to be made before its model and to outlive its Waves.
class WaveTicket {
 public:
  explicit WaveTicket(std::uint64_t seed);
  // A test that has failed by now keeps its waves.
  ~WaveTicket();
  WaveTicket(const WaveTicket&) = delete;
  WaveTicket& operator=(const WaveTicket&) = delete;

  // Its number, from 1, among those of this test with this seed: repeating one test with one seed
  // numbers alike.
  std::uint64_t number() const { return number_; }
  // What to write: no file unless --trace is given and it is this simulation's turn.
  WaveOptions waves();

 private:
  std::uint64_t seed_;
  std::uint64_t number_;
  bool shown_ = false;
  WaveResult result_;
};

// What the wave file of this run holds, or why there is none; empty without --trace.
std::string wave_summary();

}  // namespace rivulet
