// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// For a program that links no verilated converter. A library of its own: the linker takes it only
// if the program has no such function.

#include "tb/converter/verilated_converters.h"

namespace rivulet {

const std::vector<VerilatedConverterEntry>& verilated_converters() {
  static const std::vector<VerilatedConverterEntry> none;
  return none;
}

}  // namespace rivulet
