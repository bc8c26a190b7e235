// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The flags that choose and drive a device, shared by the subcommands.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "sw_model/cli/target.h"

namespace rivulet {

constexpr double kMostStall = 0.99;  // above, a run makes no progress worth waiting for

struct DeviceFlags {
  std::string target;
  std::string config = "edge";
  DeviceOptions options;
  std::optional<std::string> trace;  // given, perhaps without a file name

  Target chosen_target() const { return target_of(target); }
  // The configuration, or InputError.
  const Configuration& chosen_configuration() const;
  // The file of the waves: the given one or `default_file`, empty without --trace.
  std::string trace_file(const std::string& default_file) const;
  // Options with the trace file in place; InputError if the target has no waves or a
  // probability is out of range. Stalls mean nothing to the golden target and are ignored there.
  DeviceOptions chosen_options(const std::string& trace_file) const;
};

// Adds --target, --seed, --trace, --trace-start and --trace-stop.
void add_run_flags(CLI::App& app, DeviceFlags& flags, const std::string& default_target);
// Adds --config, --stall-in, --stall-out and --max-cycles.
void add_tile_flags(CLI::App& app, DeviceFlags& flags);

}  // namespace rivulet
