// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The command line that every bench understands, see tb/README.md.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace rivulet {

// Exit codes of every bench.
inline constexpr int kExitPass = 0;
inline constexpr int kExitFail = 1;     // a mismatch, a violated assertion, a wrong count
inline constexpr int kExitUsage = 2;    // wrong arguments, or nothing to run
inline constexpr int kExitTimeout = 3;  // --max-cycles reached, or no progress

struct Options {
  std::string program;  // as typed
  bool list = false;
  std::string filter = "*";
  std::string config;  // empty: all
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> max_cycles;
  std::optional<double> stall_in;
  std::optional<double> stall_out;
  std::optional<std::string> trace;  // file; empty: <program>.fst
  std::optional<std::uint64_t> trace_simulation;
  std::uint64_t trace_start = 0;
  std::uint64_t trace_stop = std::numeric_limits<std::uint64_t>::max();
  std::string json;  // file; empty: none

  // Seeds of a test that repeats itself: 0 .. count-1, or only the one of the command line.
  std::vector<std::uint64_t> seeds(unsigned count) const;
  // Whether the named configuration is asked for.
  bool selects_config(const std::string& name) const { return config.empty() || config == name; }
  // The command that runs test `test` again with seed `seed` and otherwise the present options.
  std::string repeat_command(const std::string& test, std::uint64_t seed) const;
};

// The options of this process.
const Options& options();

// Reads the command line into options(). Returns an exit code when the program is to end: after
// --help, or for an error, which is then printed. Arguments --gtest_* are left to GoogleTest.
std::optional<int> parse_options(int argc, char** argv);

}  // namespace rivulet
