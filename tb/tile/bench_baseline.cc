// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/bench_baseline.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "sw_model/common/output_file.h"

namespace rivulet {

std::vector<std::string> differences(const BenchCycles& found, const std::string& file) {
  std::ifstream in(file);
  if (!in) {
    throw std::invalid_argument(
        fmt::format("cannot read '{}': run in the folder of the project", file));
  }
  const auto committed = BenchCycles::parse(in);
  std::vector<std::string> lines;
  for (const auto& [configuration, cases] : found.items()) {
    const BenchCycles expected = committed.value(configuration, BenchCycles::object());
    for (const auto& [key, cycles] : cases.items()) {
      if (!expected.contains(key)) {
        lines.push_back(fmt::format("{}: {}: not in the file", configuration, key));
      } else if (expected[key] != cycles) {
        lines.push_back(fmt::format("{}: {}: {} cycles, {} committed", configuration, key,
                                    cycles.dump(), expected[key].dump()));
      }
    }
    for (const auto& [key, cycles] : expected.items()) {
      if (!cases.contains(key)) {
        lines.push_back(fmt::format("{}: {}: in the file, not in the bench", configuration, key));
      }
    }
  }
  return lines;
}

void write_json(const nlohmann::ordered_json& json, const std::string& file) {
  write_output_file(file, json.dump(2) + "\n");
}

}  // namespace rivulet
