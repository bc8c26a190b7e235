// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/traced_twin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sw_model/common/message.h"
#include "tb/options.h"
#include "tb/program_info.h"
#include "tb/variant.h"

namespace rivulet {
namespace {

std::string chosen_twin(const ProgramInfo& info) {
  const auto known = [&](const std::string& name) {
    return std::find(info.twins.begin(), info.twins.end(), name) != info.twins.end();
  };
  if (!options().config.empty()) {
    if (known(options().config)) return options().config;
    throw std::invalid_argument(fmt::format("--config {}: {} has waves of: {}", options().config,
                                            info.name, fmt::join(info.twins, ", ")));
  }
  const std::string& filter = options().filter;
  std::string last = filter.substr(filter.find_last_of("/*") + 1);
  if (known(last)) return last;
  print_error("--trace: configuration {} only; --config chooses another of: {}\n",
              info.twins.front(), fmt::join(info.twins, ", "));
  return info.twins.front();
}

}  // namespace

void run_traced_twin() {
  const ProgramInfo& info = program_info();
  if (info.waves == ProgramWaves::kBuiltIn) return;
  if (info.waves == ProgramWaves::kNone) {
    throw std::invalid_argument(
        fmt::format("--trace: {} runs no RTL, so it has no waves", info.name));
  }
  const std::string twin = info.twins.empty()
                               ? fmt::format("{}-traced", info.name)
                               : fmt::format("{}-{}-traced", info.name, chosen_twin(info));
  run_variant(twin, fmt::format("{} with waves", info.name), "build it in its build tree");
}

}  // namespace rivulet
