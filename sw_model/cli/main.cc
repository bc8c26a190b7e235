// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0
//
// The command `rivulet`; see docs/cli.md.

#include <CLI/CLI.hpp>
#include <csignal>
#include <functional>
#include <span>

#include "sw_model/cli/command_line.h"
#include "sw_model/cli/eval_command.h"
#include "sw_model/cli/exit_code.h"
#include "sw_model/cli/info_command.h"
#include "sw_model/cli/op_command.h"
#include "sw_model/cli/sim_command.h"

namespace rivulet {

namespace {

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
    const int exit_code = app.exit(error) == 0 ? kExitOk : kExitUsage;
    return run_guarded([exit_code] { return exit_code; });
  }
  return run_guarded(run);
}

}  // namespace

}  // namespace rivulet

// What is thrown while an error is printed has nowhere to go.
int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape)
  // A file that grows over the limit of the shell is an error of writing, not the end of the
  // process.
  std::signal(SIGXFSZ, SIG_IGN);
  rivulet::set_command_line(std::span(argv, static_cast<size_t>(argc)));
  return rivulet::run_command(argc, argv);
}
