// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/info_command.h"

#include <fmt/format.h>

#include "sw_model/cli/exit_code.h"
#include "sw_model/cli/target.h"

namespace rivulet {

namespace {

std::string targets_of(const Configuration& configuration) {
  std::string names;
  for (const Target target : {Target::kGolden, Target::kCycle, Target::kRtl}) {
    if (has_target(target, configuration)) names += " " + target_name(target);
  }
  return names;
}

int run_info() {
  fmt::print("{:<14} {:>5} {:>9} {:>7} {:>5} {:>10}   {}\n", "configuration", "lanes", "positions",
             "align_w", "group", "psum depth", "targets");
  for (const Configuration& entry : configurations()) {
    fmt::print("{:<14} {:>5} {:>9} {:>7} {:>5} {:>10}  {}\n", entry.name, entry.lanes,
               entry.positions, entry.align_w, entry.group, entry.psum_depth, targets_of(entry));
  }
  return kExitOk;
}

}  // namespace

void add_info_command(CLI::App& app, std::function<int()>& run) {
  app.add_subcommand("info", "List the configurations and the targets of this build")
      ->callback([&run] { run = run_info; });
}

}  // namespace rivulet
