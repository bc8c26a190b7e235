// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/info_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sw_model/cli/exit_code.h"
#include "sw_model/cli/rtl_variant.h"
#include "sw_model/cli/target.h"
#include "sw_model/interfaces/configuration.h"

namespace rivulet {

namespace {

int run_info() {
  fmt::print("{:<14} {:>5} {:>9} {:>7} {:>5} {:>10} {:>11}\n", "configuration", "lanes",
             "positions", "align_w", "group", "psum depth", "MACs/cycle");
  for (const Configuration& entry : configurations()) {
    fmt::print("{:<14} {:>5} {:>9} {:>7} {:>5} {:>10} {:>11}\n", entry.name, entry.lanes,
               entry.positions, entry.align_w, entry.group, entry.psum_depth,
               entry.peak_macs_per_cycle());
  }
  fmt::print("\ntargets: {} (default configuration: edge)\n{}\n", fmt::join(target_names(), ", "),
             describe_rtl_variants());
  return kExitOk;
}

}  // namespace

void add_info_command(CLI::App& app, std::function<int()>& run) {
  app.add_subcommand("info", "List the configurations and the targets of this build")
      ->callback([&run] { run = run_info; });
}

}  // namespace rivulet
