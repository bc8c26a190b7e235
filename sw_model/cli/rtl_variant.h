// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The command itself holds no RTL: what needs a model runs in a variant of the command that has
// this one, rivulet-tile-<configuration> or rivulet-converter-<configuration>, -traced for waves.
//
// Built on demand in a build tree (tb/variant.h); an installed command has those that were
// installed with it, and else throws VariantError, which says how to get them.

#include <string>

#include "sw_model/interfaces/configuration.h"

namespace rivulet {

// Returns if this program has the model, else runs the variant that has it instead.
void need_rtl_tile(const Configuration& configuration, bool traced);
void need_rtl_converter(const Configuration& configuration, bool traced);

// "RTL models: ..." of `rivulet info`: which are here, and how to get the others.
std::string describe_rtl_variants();

}  // namespace rivulet
