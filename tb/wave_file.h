// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Names of wave files: one a simulation, numbered within a run of the program.

#pragma once

#include <cstdint>
#include <string>

namespace rivulet {

struct WaveFile {
  std::uint64_t simulation = 1;  // from 1
  std::string name;              // --trace=waves.fst gives waves.fst, waves-2.fst, waves-3.fst, ...
};

WaveFile next_wave_file();

}  // namespace rivulet
