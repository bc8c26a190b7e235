// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The files that a run is going to write, checked before anything is run.

#include <string>
#include <utility>
#include <vector>

namespace rivulet {

// `inputs` and `outputs`: name of the flag and path; empty paths are not given. InputError if an
// output cannot be written (check_output_file of sw_model/workload/file.h), or is an input or
// another output too.
using FlagPath = std::pair<std::string, std::string>;
void check_output_paths(const std::vector<FlagPath>& inputs, const std::vector<FlagPath>& outputs);

}  // namespace rivulet
