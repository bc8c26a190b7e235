// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The verilated converter on its own, as wide as the link of a named configuration, for each
// configuration whose model this program has.
//
// All registers start at random values drawn from the seed. A violated assertion of the RTL throws
// Mismatch. A configuration without a model throws std::invalid_argument.

#include <cstdint>
#include <memory>

#include "sw_model/converter/converter_cycle.h"
#include "sw_model/interfaces/configuration.h"
#include "tb/wave_options.h"

namespace rivulet {

using ConverterPointer = std::unique_ptr<ClockedBlock<ConverterBlock>>;

// Whether this program has the model, and if asked for one that writes waves.
bool has_rtl_converter(const Configuration& configuration, bool traced);

ConverterPointer make_rtl_converter(const Configuration& configuration, uint64_t seed,
                                    const WaveOptions& waves);

}  // namespace rivulet
