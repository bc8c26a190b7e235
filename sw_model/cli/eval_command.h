// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// `rivulet eval`: exact match of the float, the BF16 golden and the q8 golden model.

#include <CLI/CLI.hpp>
#include <functional>

namespace rivulet {

// Adds the subcommand; when it is chosen, `run` becomes what it does and returns the exit code.
void add_eval_command(CLI::App& app, std::function<int()>& run);

}  // namespace rivulet
