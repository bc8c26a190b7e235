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

constexpr const char* kTrace = "--trace";
constexpr const char* kHelper = ".hier";

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;  // hard links too
  std::error_code error_a, error_b;
  const fs::path whole_a = fs::weakly_canonical(a, error_a);
  const fs::path whole_b = fs::weakly_canonical(b, error_b);
  return !error_a && !error_b && whole_a == whole_b;
}

}  // namespace

void check_output_paths(const std::vector<FlagPath>& inputs, const std::vector<FlagPath>& outputs) {
  std::vector<FlagPath> taken = inputs;
  std::vector<FlagPath> all;
  for (const FlagPath& output : outputs) {
    if (output.second.empty()) continue;
    check_output_file(output.second);
    all.push_back(output);
    if (output.first != kTrace) continue;
    const std::string helper = output.second + kHelper;
    std::error_code error;
    if (fs::exists(fs::symlink_status(helper, error))) {
      throw InputError(
          fmt::format("{}: exists, and the waves need this name while they are "
                      "written; move it or give --trace another name",
                      helper));
    }
    all.emplace_back(kTrace, helper);
  }
  for (const FlagPath& output : all) {
    for (const FlagPath& other : taken) {
      if (!other.second.empty() && same_file(other.second, output.second)) {
        throw InputError(fmt::format("{} {}: is the file of {} too, it needs another name",
                                     output.first, output.second, other.first));
      }
    }
    taken.push_back(output);
  }
}

std::vector<FlagPath> files_of_model(const fs::path& folder) {
  std::vector<FlagPath> files;
  for (const fs::path& place : {folder, folder / "eval"}) {
    std::error_code error;
    if (!fs::is_directory(place, error)) continue;
    for (const fs::path& path : files_of(place)) files.emplace_back("--model", path.string());
  }
  return files;
}

}  // namespace rivulet
