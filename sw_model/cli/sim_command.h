// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// `rivulet sim`: decodes a prompt with the model on a tile, every word checked.

#include <CLI/CLI.hpp>
#include <functional>

namespace rivulet {

// Adds the subcommand; when it is chosen, `run` becomes what it does and returns the exit code.
void add_sim_command(CLI::App& app, std::function<int()>& run);

}  // namespace rivulet
