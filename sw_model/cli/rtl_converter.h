// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The verilated converter on its own, as wide as the link of a named configuration, for each
// configuration whose model this program has.
//
// All registers start at random values drawn from the seed. A violated assertion of the RTL throws
// Mismatch. A configuration without a model throws std::invalid_argument.

#include "sw_model/cli/clocked_converter.h"
#include "sw_model/tile/configuration.h"

namespace rivulet {

// Whether this program has the model, and if asked for one that writes waves.
bool has_rtl_converter(const Configuration& configuration, bool traced);

ClockedConverter::Step make_rtl_converter(const Configuration& configuration,
                                          const DeviceOptions& options);

}  // namespace rivulet
