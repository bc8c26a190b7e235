// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The verilated converter on its own, one for the link of each named configuration.
//
// All registers start at random values drawn from the seed. A violated assertion of the RTL throws
// Mismatch. A configuration that was not built throws std::invalid_argument.

#include "sw_model/cli/clocked_converter.h"
#include "sw_model/interfaces/configuration.h"

namespace rivulet {

ClockedConverter::Step make_rtl_converter(const Configuration& configuration,
                                          const DeviceOptions& options);

}  // namespace rivulet
