// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "tb/number_options.h"

namespace rivulet {
namespace {

constexpr double kMostStall = 0.999;

Options& mutable_options() {
  static Options instance;
  return instance;
}

}  // namespace

const Options& options() { return mutable_options(); }

std::vector<std::uint64_t> Options::seeds(unsigned count) const {
  if (seed) return {*seed};
  std::vector<std::uint64_t> list(count);
  for (unsigned i = 0; i < count; ++i) list[i] = i;
  return list;
}

std::string Options::repeat_command(const std::string& test, std::uint64_t seed_used) const {
  std::string command = fmt::format("{} --filter '{}' --seed {}", program, test, seed_used);
  if (!config.empty()) command += fmt::format(" --config {}", config);
  if (max_cycles) command += fmt::format(" --max-cycles {}", *max_cycles);
  if (stall_in) command += fmt::format(" --stall-in {}", *stall_in);
  if (stall_out) command += fmt::format(" --stall-out {}", *stall_out);
  return command;
}

std::optional<int> parse_options(int argc, char** argv) {
  Options& o = mutable_options();
  o = Options{};
  o.program = argc > 0 ? argv[0] : "bench";
  std::vector<std::string> arguments;  // in reverse, as CLI11 takes them
  for (int i = argc - 1; i > 0; --i) {
    const std::string argument = argv[i];
    if (argument.rfind("--gtest_", 0) != 0) arguments.push_back(argument);
  }

  CLI::App app{"Runs the tests of one block of Rivulet.", o.program};
  app.add_flag("--list", o.list, "List the tests and end");
  app.add_option(
      "--filter", o.filter,
      "Tests to run: names with * and ?, several separated by ':', after '-' not to run");
  app.add_option("--config", o.config, "Run only this configuration, such as link64");
  app.add_option("--seed", o.seed, "Run with this seed only (default: those of each test)")
      ->transform(unsigned_number());
  app.add_option("--max-cycles", o.max_cycles,
                 "End a simulation as timed out after this many cycles")
      ->transform(unsigned_number(1));
  app.add_option("--stall-in", o.stall_in,
                 "Probability that a source does not offer in a cycle, for all sources")
      ->transform(real_number(0, kMostStall));
  app.add_option("--stall-out", o.stall_out,
                 "Probability that a sink does not accept in a cycle, for all sinks")
      ->transform(real_number(0, kMostStall));
  std::string trace_file;
  CLI::Option* trace = app.add_option("--trace", trace_file,
                                      "Write waves (FST) to this file (default: <program>.fst): of "
                                      "the first simulation whose "
                                      "test fails, else of the last one")
                           ->expected(0, 1);
  app.add_option("--trace-start", o.trace_start, "First cycle of the waves")
      ->transform(unsigned_number())
      ->needs(trace);
  app.add_option("--trace-stop", o.trace_stop, "Last cycle of the waves")
      ->transform(unsigned_number())
      ->needs(trace);
  app.add_option("--trace-simulation", o.trace_simulation,
                 "Waves of this simulation instead, counted in each test for each seed")
      ->needs(trace)
      ->transform(unsigned_number(1));
  app.add_option("--json", o.json, "Write a summary to this file");
  app.footer(
      "Exit codes: 0 passed; 1 mismatch, violated assertion or wrong count; 2 wrong arguments or "
      "nothing to run; 3 timed out or no progress.");
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    const bool help = error.get_exit_code() == 0;
    app.exit(error, std::cout, std::cerr);
    return help ? kExitPass : kExitUsage;
  }
  if (trace->count() > 0) o.trace = trace_file;
  if (o.trace_stop < o.trace_start) {
    std::cerr << "--trace-stop is before --trace-start\n";
    return kExitUsage;
  }
  return std::nullopt;
}

}  // namespace rivulet
