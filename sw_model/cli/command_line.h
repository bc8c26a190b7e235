// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The command line that the process was started with, for "repeat with:" messages.

#include <span>
#include <string>

namespace rivulet {

void set_command_line(std::span<char* const> arguments);

// Quoted for the shell. With `seed`, "--seed N" is appended unless the user gave one.
std::string repeat_command();
std::string repeat_command(uint64_t seed);

}  // namespace rivulet
