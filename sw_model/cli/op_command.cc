// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/op_command.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw_model/cli/command_line.h"
#include "sw_model/cli/device_flags.h"
#include "sw_model/cli/exit_code.h"
#include "sw_model/cli/operation.h"
#include "sw_model/cli/output_paths.h"
#include "sw_model/common/text.h"

namespace rivulet {

namespace {

constexpr const char* kMetadataKey = "rivulet";

struct OpFlags {
  DeviceFlags device;
  std::string in;
  std::string out;
  std::vector<std::string> settings;
};

// Keys of the operation and those that every operation has.
std::vector<KeySpec> all_keys(const OperationSpec& spec) {
  std::vector<KeySpec> keys = spec.keys;
  keys.push_back({"config", "edge", "named configuration of the tile (rivulet info)"});
  keys.push_back({"stall_in", "0", "cycle, rtl: probability that an input pauses a cycle"});
  keys.push_back(
      {"stall_out", "0", "cycle, rtl: probability that an output is not taken in a cycle"});
  return keys;
}

std::string tensor_help(const std::vector<TensorSpec>& tensors) {
  std::string text;
  for (const TensorSpec& tensor : tensors) {
    text += fmt::format("  {:<8} {:<5} {:<18} {}\n", tensor.name, dtype_name(tensor.dtype),
                        tensor.shape_text(), tensor.meaning);
  }
  return text;
}

std::string help_of(const OperationSpec& spec) {
  std::string text = "Input tensors:\n" + tensor_help(spec.inputs) + "Keys (--set KEY=VALUE):\n";
  for (const KeySpec& key : all_keys(spec)) {
    text += fmt::format("  {:<10} {:<7} {}\n", key.name, key.default_value, key.meaning);
  }
  return text + "Output tensors:\n" + tensor_help(spec.outputs) +
         "Counters are in the metadata of the output, key 'rivulet', as JSON.";
}

int run_op(const Operation& chosen, const OpFlags& flags) {
  const OperationSpec& spec = chosen.spec();
  const std::string trace = flags.device.trace_file(fmt::format("rivulet_{}.fst", spec.name));
  check_output_paths({{"--in", flags.in}}, {{"--out", flags.out}, {"--trace", trace}});
  const OpKeys keys(all_keys(spec), flags.settings);
  DeviceFlags device = flags.device;
  device.config = keys.text("config");
  device.options.stall_in = keys.real("stall_in", 0, kMostStall);
  device.options.stall_out = keys.real("stall_out", 0, kMostStall);
  const TensorFile input = read_safetensors(flags.in);
  const Sizes sizes = check_inputs(spec.name, chosen.inputs(keys), input);
  const OpResult result = chosen.run({.input = input,
                                      .sizes = sizes,
                                      .keys = keys,
                                      .target = device.chosen_target(),
                                      .configuration = device.chosen_configuration(),
                                      .options = device.chosen_options(trace),
                                      .repeat = repeat_command(device.options.seed)});

  nlohmann::json report = to_json(result.counters);
  report.update({{"op", spec.name},
                 {"target", device.target},
                 {"seed", device.options.seed},
                 {"keys", keys.values()},
                 {"values_compared", result.values_compared}});
  write_safetensors(flags.out, {result.outputs, {{kMetadataKey, report.dump()}}});
  std::string written;
  for (const auto& [name, tensor] : result.outputs) {
    written += fmt::format(" {} {} {}", name, dtype_name(tensor.dtype), tensor.shape_text());
  }
  fmt::print("{}:{}\n", printable(flags.out), written);
  if (device.chosen_target() != Target::kGolden) {
    fmt::print("{} values compared with the golden model, all equal; {} cycles, seed {}\n",
               result.values_compared, result.counters.cycles, device.options.seed);
  }
  return kExitOk;
}

int list_operations() {
  for (const auto& entry : operations()) {
    fmt::print("{:<10} {}\n", entry->spec().name, entry->spec().summary);
  }
  fmt::print("\n`rivulet op NAME --help` shows tensors, keys and defaults.\n");
  return kExitOk;
}

void add_operation(CLI::App& op, const Operation& entry, std::function<int()>& run) {
  auto flags = std::make_shared<OpFlags>();
  const OperationSpec& spec = entry.spec();
  CLI::App* command = op.add_subcommand(spec.name, spec.summary);
  add_run_flags(*command, flags->device, "golden");
  command->add_option("--in", flags->in, "Input file (safetensors)")->required();
  command->add_option("--out", flags->out, "Output file (safetensors), replaced in one step")
      ->required();
  command->add_option("--set", flags->settings, "KEY=VALUE, may be repeated")
      ->allow_extra_args(false);
  command->footer(help_of(spec));
  command->callback(
      [&entry, flags, &run] { run = [&entry, flags] { return run_op(entry, *flags); }; });
}

}  // namespace

void add_op_command(CLI::App& app, std::function<int()>& run) {
  CLI::App* op = app.add_subcommand("op", "Run one operation on the tensors of a safetensors file");
  op->require_subcommand(0, 1);
  op->callback([op, &run] {
    if (op->get_subcommands().empty()) run = list_operations;
  });
  for (const auto& entry : operations()) add_operation(*op, *entry, run);
}

}  // namespace rivulet
