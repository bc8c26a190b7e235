// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0
//
// The command `rivulet`; see docs/cli.md.

#include <CLI/CLI.hpp>
#include <functional>
#include <span>

#include "sw_model/cli/command_line.h"
#include "sw_model/cli/eval_command.h"
#include "sw_model/cli/exit_code.h"
#include "sw_model/cli/info_command.h"
#include "sw_model/cli/op_command.h"
#include "sw_model/cli/sim_command.h"
#include "sw_model/common/message.h"
#include "sw_model/common/process.h"

namespace rivulet {

namespace {

// As CLI11 does, but fit for a terminal.
int report_usage(const CLI::ParseError& error) {
  print_error("{}\nRun with --help for more information.\n", input_message(error.what()));
  return kExitUsage;
}

int run_command(int argc, char** argv) {
  CLI::App app("Rivulet: an accelerator tile for language models, simulated and checked");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 success, 1 mismatch or failed run, 2 wrong arguments or input, 3 time-out");
  std::function<int()> run;
  add_sim_command(app, run);
  add_op_command(app, run);
  add_eval_command(app, run);
  add_info_command(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return report_usage(error);
    app.exit(error);  // prints the help
    return kExitOk;
  }
  return run();
}

}  // namespace

}  // namespace rivulet

int main(int argc, char** argv) {
  rivulet::prepare_process();
  return rivulet::run_guarded([argc, argv] {
    rivulet::set_command_line(std::span(argv, static_cast<size_t>(argc)));
    return rivulet::run_command(argc, argv);
  });
}
