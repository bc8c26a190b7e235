// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Exit codes of the command, see docs/cli.md.

#include <functional>
#include <string>
#include <string_view>

namespace rivulet {

constexpr int kExitOk = 0;
constexpr int kExitMismatch = 1;  // a wrong value or count, a violated assertion, a failed run
constexpr int kExitUsage = 2;     // wrong arguments, files or values; nothing was run
constexpr int kExitTimeOut = 3;   // the cycle limit, or no progress

// A message about wrong input, fit for a terminal and a few lines long whatever the input holds.
std::string input_message(std::string_view text);

// Runs a subcommand. An exception is printed to standard error and becomes its exit code:
// InputError and std::invalid_argument are kExitUsage, TimeOut is kExitTimeOut, everything else and
// a failure to write to standard output are kExitMismatch. A time-out names the command that
// repeats it.
int run_guarded(const std::function<int()>& run);

}  // namespace rivulet
