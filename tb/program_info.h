// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// How a test program was built, see tb/cmake/rivulet_test.cmake.

#pragma once

#include <string>
#include <vector>

namespace rivulet {

enum class ProgramWaves {
  kNone,      // runs no RTL
  kOnDemand,  // its models cannot write waves, those of its twins can
  kBuiltIn,   // a twin
};

struct ProgramInfo {
  std::string name;  // of the file
  ProgramWaves waves = ProgramWaves::kNone;
  // Configurations that have a twin of their own, <name>-<configuration>-traced; empty: there is
  // one twin, <name>-traced.
  std::vector<std::string> twins;
};

// Defined in a generated file.
const ProgramInfo& program_info();

}  // namespace rivulet
