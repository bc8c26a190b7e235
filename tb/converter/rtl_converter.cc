// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/converter/rtl_converter.h"

#include <fmt/format.h>

#include <stdexcept>

#include "tb/converter/verilated_converters.h"

namespace rivulet {

namespace {

const VerilatedConverterEntry* find(const Configuration& configuration, bool traced) {
  for (const VerilatedConverterEntry& entry : verilated_converters()) {
    if (configuration.name == entry.name && (entry.traced || !traced)) return &entry;
  }
  return nullptr;
}

}  // namespace

bool has_rtl_converter(const Configuration& configuration, bool traced) {
  return find(configuration, traced) != nullptr;
}

ConverterPointer make_rtl_converter(const Configuration& configuration, uint64_t seed,
                                    const WaveOptions& waves) {
  const VerilatedConverterEntry* entry = find(configuration, !waves.file.empty());
  if (entry == nullptr) {
    throw std::invalid_argument(
        fmt::format("this program has no RTL model of the converter of configuration '{}'",
                    configuration.name));
  }
  return entry->make(seed, waves);
}

}  // namespace rivulet
