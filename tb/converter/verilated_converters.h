// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The configurations whose verilated converters are part of this program.

#include <vector>

#include "tb/converter/rtl_converter.h"

namespace rivulet {

struct VerilatedConverterEntry {
  const char* name;
  ConverterPointer (*make)(uint64_t seed, const WaveOptions& waves);
  bool traced;  // it can write waves
};

// Defined in a generated file, see tb/cmake/rivulet_models.cmake; in a program without one, empty.
const std::vector<VerilatedConverterEntry>& verilated_converters();

}  // namespace rivulet
