// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sw_model/common/output_file.h"
#include "tb/options.h"

namespace rivulet {

Report& report() {
  static Report instance;
  return instance;
}

std::uint64_t Report::Test::total_compared() const {
  std::uint64_t total = 0;
  for (const auto& [channel, values] : compared) total += values;
  return total;
}

void Report::begin_test(const std::string& name) {
  current_ = Test{};
  current_.name = name;
  current_failed_ = false;
}

void Report::end_test(bool passed, bool skipped) {
  current_.passed = passed;
  current_.skipped = skipped;
  tests_.push_back(current_);
  current_ = Test{};
}

void Report::add_simulation(std::uint64_t cycles) {
  ++current_.simulations;
  current_.cycles += cycles;
}

void Report::add_compared(const std::string& channel, std::uint64_t values) {
  current_.compared[channel] += values;
}

void Report::write_json(const std::string& file, int exit_code) const {
  nlohmann::ordered_json json;
  json["program"] = options().program;
  json["exit_code"] = exit_code;
  json["timed_out"] = timed_out_;
  if (options().seed) json["seed"] = *options().seed;
  json["tests"] = nlohmann::ordered_json::array();
  for (const Test& test : tests_) {
    json["tests"].push_back({{"name", test.name},
                             {"passed", test.passed},
                             {"skipped", test.skipped},
                             {"simulations", test.simulations},
                             {"cycles", test.cycles},
                             {"compared", test.compared}});
  }
  write_output_file(file, json.dump(2) + "\n");
}

}  // namespace rivulet
