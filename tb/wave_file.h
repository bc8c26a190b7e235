// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Numbers of simulations and names of their wave files.

#pragma once

#include <cstdint>
#include <string>

namespace rivulet {

struct WaveFile {
  std::uint64_t simulation = 1;  // its number, from 1, among those of this test with this seed
  std::string name;  // --trace=waves.fst gives waves.fst, waves-2.fst, waves-3.fst, ... in a run
};

// To be called once a simulation. Repeating one test with one seed numbers both alike.
WaveFile next_wave_file(std::uint64_t seed);

}  // namespace rivulet
