// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/rtl_converter.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sw_model/cli/verilated_converters.h"

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

ClockedConverter::Step make_rtl_converter(const Configuration& configuration,
                                          const DeviceOptions& options) {
  const VerilatedConverterEntry* entry = find(configuration, !options.trace_file.empty());
  if (entry == nullptr) {
    throw std::invalid_argument(
        fmt::format("this program has no RTL model of the converter of configuration '{}'",
                    configuration.name));
  }
  return entry->make(configuration.link_bits(), options);
}

}  // namespace rivulet
