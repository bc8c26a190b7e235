// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/device_flags.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sw_model/workload/input_error.h"
#include "tb/number_options.h"

namespace rivulet {

const Configuration& DeviceFlags::chosen_configuration() const {
  try {
    return configuration(config);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

std::string DeviceFlags::trace_file(const std::string& default_file) const {
  if (!trace) return "";
  return trace->empty() ? default_file : *trace;
}

DeviceOptions DeviceFlags::chosen_options(const std::string& trace_file) const {
  DeviceOptions chosen = options;
  const Target target_kind = chosen_target();
  chosen.trace_file = trace_file;
  if (trace && target_kind != Target::kRtl) {
    throw InputError(fmt::format("--trace: target '{}' has no waves, only 'rtl' has", target));
  }
  const bool window = chosen.trace_start != 0 || chosen.trace_stop != DeviceOptions{}.trace_stop;
  if (window && !trace) throw InputError("--trace-start and --trace-stop need --trace");
  if (chosen.trace_stop < chosen.trace_start) {
    throw InputError("--trace-stop is before --trace-start");
  }
  for (const auto& [name, value] :
       {std::pair("stall_in", chosen.stall_in), std::pair("stall_out", chosen.stall_out)}) {
    if (!(value >= 0 && value <= kMostStall)) {
      throw InputError(
          fmt::format("{} is {}, expected a probability from 0 to {}", name, value, kMostStall));
    }
  }
  return chosen;
}

void add_run_flags(CLI::App& app, DeviceFlags& flags, const std::string& default_target) {
  flags.target = default_target;
  app.add_option("--target", flags.target, "golden, cycle or rtl")->capture_default_str();
  app.add_option("--seed", flags.options.seed, "Seed of every random choice")
      ->transform(unsigned_number())
      ->capture_default_str();
  app.add_option_function<std::string>(
         "--trace", [&flags](const std::string& file) { flags.trace = file; },
         "Write waves (FST); the file name may be left out")
      ->expected(0, 1)
      ->type_name("[FILE]");
  app.add_option("--trace-start", flags.options.trace_start, "First cycle of the waves")
      ->transform(unsigned_number());
  app.add_option("--trace-stop", flags.options.trace_stop, "Last cycle of the waves")
      ->transform(unsigned_number());
}

void add_tile_flags(CLI::App& app, DeviceFlags& flags) {
  app.add_option("--config", flags.config, "Named configuration of the tile")
      ->capture_default_str();
  app.add_option("--stall-in", flags.options.stall_in, "Probability that an input pauses a cycle")
      ->transform(real_number(0, kMostStall))
      ->capture_default_str();
  app.add_option("--stall-out", flags.options.stall_out,
                 "Probability that an output is not taken in a cycle")
      ->transform(real_number(0, kMostStall))
      ->capture_default_str();
  app.add_option("--max-cycles", flags.options.max_cycles,
                 "Stop with exit code 3 after this many cycles; 0 = no limit")
      ->transform(unsigned_number())
      ->capture_default_str();
}

}  // namespace rivulet
