// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Builds one target of a CMake build tree, from inside a program.

#pragma once

#include <filesystem>
#include <string>

namespace rivulet {

// `cmake --build tree --target name`, with the CMake that made the tree. What it prints goes to
// standard error if that is a terminal, else to <tree>/<target>.log, whose end is shown on failure.
// Returns whether the build succeeded.
bool run_build(const std::filesystem::path& tree, const std::string& target);

}  // namespace rivulet
