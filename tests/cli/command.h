// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Runs the command `rivulet` as a user does and keeps what it printed.

#include <string>
#include <vector>

namespace rivulet {

struct Outcome {
  int exit_code = -1;  // -1: ended by a signal
  std::string out;
  std::string err;
};

// Arguments without the program name. Throws std::runtime_error if the command cannot be started.
Outcome run_rivulet(const std::vector<std::string>& arguments);

// Runs a script of bash in a folder; "$R" is the command. For redirections and limits.
Outcome run_shell(const std::string& folder, const std::string& script);

}  // namespace rivulet
