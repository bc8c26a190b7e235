// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The files that a run is going to write, checked before anything is run.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace rivulet {

// `inputs` and `outputs`: name of the flag and path; empty paths are not given. InputError if an
// output cannot be written (check_output_file of sw_model/workload/file.h), or is an input or
// another output too. An output of the flag --trace stands for its helper file NAME.hier too, which
// the writer of waves makes and removes: nothing of the user may lie there.
using FlagPath = std::pair<std::string, std::string>;
void check_output_paths(const std::vector<FlagPath>& inputs, const std::vector<FlagPath>& outputs);
// Every file that a run reads, or may read, from the folder of a model.
std::vector<FlagPath> files_of_model(const std::filesystem::path& folder);

}  // namespace rivulet
