// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sw_model/tile/golden_device.h"
#include "sw_model/workload/input_error.h"

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

const std::string& target_name(Target target) {
  return target_names()[static_cast<size_t>(target)];
}

bool has_target(Target target, const Configuration& /*configuration*/) {
  return target == Target::kGolden;
}

std::unique_ptr<TileDevice> make_device(Target target, const Configuration& configuration,
                                        const DeviceOptions& /*options*/) {
  if (target == Target::kGolden) return std::make_unique<GoldenDevice>();
  throw InputError(fmt::format("this build holds no '{}' tile of configuration '{}'",
                               target_name(target), configuration.name));
}

std::unique_ptr<ConverterDevice> make_converter(Target target, const Configuration& configuration,
                                                const DeviceOptions& /*options*/) {
  if (target == Target::kGolden) return std::make_unique<GoldenConverter>();
  throw InputError(fmt::format("this build holds no '{}' converter of configuration '{}'",
                               target_name(target), configuration.name));
}

}  // namespace rivulet
