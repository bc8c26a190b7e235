// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// For a program that links no verilated tile. A library of its own: the linker takes it only if the
// program has no such function.

#include "tb/tile/verilated_configurations.h"

namespace rivulet {

const std::vector<VerilatedConfiguration>& verilated_configurations() {
  static const std::vector<VerilatedConfiguration> none;
  return none;
}

}  // namespace rivulet
