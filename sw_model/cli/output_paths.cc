// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/output_paths.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "sw_model/workload/file.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;  // hard links too
  return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

}  // namespace

void check_output_paths(const std::vector<FlagPath>& inputs, const std::vector<FlagPath>& outputs) {
  std::vector<FlagPath> taken = inputs;
  for (const FlagPath& output : outputs) {
    if (output.second.empty()) continue;
    for (const FlagPath& other : taken) {
      if (!other.second.empty() && same_file(other.second, output.second)) {
        throw InputError(fmt::format("{} {}: is the file of {} too, it needs another name",
                                     output.first, output.second, other.first));
      }
    }
    check_output_file(output.second);
    taken.push_back(output);
  }
}

}  // namespace rivulet
