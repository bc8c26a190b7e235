// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sw_model/cli/rtl_variant.h"
#include "sw_model/converter/converter_cycle.h"
#include "sw_model/tile/golden_device.h"
#include "sw_model/workload/input_error.h"
#include "tb/converter/clocked_converter.h"
#include "tb/converter/rtl_converter.h"
#include "tb/tile/clocked_device.h"
#include "tb/tile/rtl_device.h"

namespace rivulet {

const std::vector<std::string>& target_names() {
  static const std::vector<std::string> names{"golden", "cycle", "rtl"};
  return names;
}

Target target_of(const std::string& name) {
  const auto found = std::find(target_names().begin(), target_names().end(), name);
  if (found == target_names().end()) {
    throw InputError(
        fmt::format("unknown target '{}' (known: {})", name, fmt::join(target_names(), ", ")));
  }
  return static_cast<Target>(found - target_names().begin());
}

std::unique_ptr<TileDevice> make_device(Target target, const Configuration& configuration,
                                        const DeviceOptions& options) {
  switch (target) {
    case Target::kGolden:
      return std::make_unique<GoldenDevice>();
    case Target::kCycle:
      return make_cycle_device(configuration, options);
    case Target::kRtl:
      need_rtl_tile(configuration, !options.trace_file.empty());
      return make_rtl_device(configuration, options);
  }
  throw InputError("no such target");
}

std::unique_ptr<ConverterDevice> make_converter(Target target, const Configuration& configuration,
                                                const DeviceOptions& options) {
  const int link_bits = configuration.link_bits();
  switch (target) {
    case Target::kGolden:
      return std::make_unique<GoldenConverter>();
    case Target::kCycle:
      return std::make_unique<ClockedConverter>(std::make_unique<ConverterCycle>(link_bits),
                                                link_bits, options);
    case Target::kRtl:
      need_rtl_converter(configuration, !options.trace_file.empty());
      return std::make_unique<ClockedConverter>(make_rtl_converter(configuration, options.seed,
                                                                   {.file = options.trace_file,
                                                                    .start = options.trace_start,
                                                                    .stop = options.trace_stop}),
                                                link_bits, options);
  }
  throw InputError("no such target");
}

}  // namespace rivulet
