// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Small tiles with other parameters than the named configurations: the other PE kind, one, two and
// eight parts of a group (four columns a cycle, two, one), one for q8 only; odd depths, few
// segments, no x store. CMakeLists.txt builds RTL with the same parameters.

#include <string>
#include <vector>

#include "sw_model/interfaces/configuration.h"

namespace rivulet {

// group1, group2, group8, q8only.
const std::vector<Configuration>& small_configurations();
// One of these, or a named configuration; std::invalid_argument if there is none.
const Configuration& tested_configuration(const std::string& name);

}  // namespace rivulet
