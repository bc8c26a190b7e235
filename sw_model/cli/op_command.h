// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// `rivulet op NAME`: one operation on the tensors of a file.

#include <CLI/CLI.hpp>
#include <functional>

namespace rivulet {

// Adds the subcommand and one below it for every operation; when one is chosen, `run` becomes what
// it does and returns the exit code.
void add_op_command(CLI::App& app, std::function<int()>& run);

}  // namespace rivulet
