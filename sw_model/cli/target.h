// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What runs a job: the functional model, the cycle model or the verilated RTL.
//
// An unknown target throws InputError. The RTL may run in a variant of this program, which then
// takes its place: nothing must have been printed before (rtl_variant.h).

#include <memory>
#include <string>
#include <vector>

#include "sw_model/interfaces/configuration.h"
#include "sw_model/tile/converter_device.h"
#include "sw_model/tile/device.h"

namespace rivulet {

enum class Target { kGolden, kCycle, kRtl };

const std::vector<std::string>& target_names();
Target target_of(const std::string& name);

// A tile of this target.
std::unique_ptr<TileDevice> make_device(Target target, const Configuration& configuration,
                                        const DeviceOptions& options);

// A precision converter of this target, as wide as the link of the configuration.
std::unique_ptr<ConverterDevice> make_converter(Target target, const Configuration& configuration,
                                                const DeviceOptions& options);

}  // namespace rivulet
