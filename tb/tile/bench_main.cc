// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// tile_bench: rows of matrix products on the tile, every word compared with the golden model:
// cycles, busy share, what the array waited for, bytes fetched for each byte stored.
//
// --check compares the cycles of the cycle model with the committed ones: they are deterministic.
// Exit codes: 0; 1 a word or a number of cycles differs; 2 wrong arguments.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "sw_model/tile/clocked_device.h"
#include "sw_model/tile/device_error.h"
#include "tb/tile/bench_case.h"
#include "tb/tile/rtl_device.h"

namespace rivulet {
namespace {

constexpr const char* kBaseline = "tb/tile/bench_cycles.json";
constexpr size_t kJobs = 3;  // in a row

struct Flags {
  std::string config;
  std::string target = "cycle";
  bool layers = false;
  bool check = false;
  bool update = false;
  std::string json;
};

size_t size(int value) { return static_cast<size_t>(value); }

// Every width, order and number of rows against few and many columns.
std::vector<BenchCase> matrix_cases(const Configuration& configuration) {
  const size_t k = 16 * size(configuration.group);
  std::vector<BenchCase> cases;
  for (const size_t m :
       {size(configuration.positions), 2 * size(configuration.positions), size_t{32}}) {
    for (const size_t n : {size_t{128}, size_t{512}}) {
      for (const bool transpose : {false, true}) {
        for (const Stream stream : {Stream::kQ8, Stream::kQ4, Stream::kQ2, Stream::kBf16}) {
          cases.push_back(
              {.name = {}, .m = m, .n = n, .k = k, .stream = stream, .transpose = transpose});
        }
      }
    }
  }
  return cases;
}

// The layers of Qwen2-1.5B; of gate and up the first 4,096 of 17,920 columns: the rest repeats
// them.
std::vector<BenchCase> layer_cases() {
  std::vector<BenchCase> cases;
  for (const size_t m : {size_t{8}, size_t{32}}) {
    for (const Stream stream : {Stream::kQ8, Stream::kQ4, Stream::kQ2}) {
      const auto add = [&](const char* name, size_t n, size_t k, bool transpose) {
        cases.push_back(
            {.name = name, .m = m, .n = n, .k = k, .stream = stream, .transpose = transpose});
      };
      add("qkv", 2048, 1536, false);
      add("o", 1536, 1536, false);
      add("gate_up", 4096, 1536, false);
      add("down", 1536, 8960, true);
    }
  }
  return cases;
}

MakeDevice device_of(const std::string& target) {
  if (target == "rtl") {
    return [](const Configuration& c) { return make_rtl_device(c, {}); };
  }
  return [](const Configuration& c) { return make_cycle_device(c, {}); };
}

std::string causes(const Counters& counters) {
  std::string text;
  for (const auto& [cause, cycles] : counters.idle_cycles) {
    if (cycles != 0) text += fmt::format(" {} {}", cause, cycles);
  }
  return text;
}

nlohmann::ordered_json bench(const Flags& flags) {
  nlohmann::ordered_json json;
  fmt::print("{:6} {:42} {:>9} {:>7} {:>9} {:>8}  idle cycles\n", "config", "case", "cycles",
             "busy %", "MAC/cycle", "fetched");
  for (const Configuration& configuration : configurations()) {
    if (!flags.config.empty() && flags.config != configuration.name) continue;
    if (flags.layers && configuration.group != 128) continue;
    for (const BenchCase& c : flags.layers ? layer_cases() : matrix_cases(configuration)) {
      const BenchResult r =
          run_case(configuration, c, flags.layers ? 1 : kJobs, device_of(flags.target));
      fmt::print("{:6} {:42} {:>9} {:>7.2f} {:>9.1f} {:>8.3f} {}\n", configuration.name, c.key(),
                 r.counters.cycles, 100 * r.busy(), r.macs_per_cycle(), r.fetched(),
                 causes(r.counters));
      json[configuration.name][c.key()] = {
          {"cycles", r.counters.cycles},          {"busy", r.busy()},
          {"macs_per_cycle", r.macs_per_cycle()}, {"fetched_per_stored", r.fetched()},
          {"words_compared", r.words_compared},   {"idle_cycles", r.counters.idle_cycles}};
    }
  }
  return json;
}

// Only the cycles.
nlohmann::ordered_json cycles_of(const nlohmann::ordered_json& json) {
  nlohmann::ordered_json cycles;
  for (const auto& [configuration, cases] : json.items()) {
    for (const auto& [key, result] : cases.items()) {
      cycles[configuration][key] = result.at("cycles");
    }
  }
  return cycles;
}

void write(const std::string& file, const nlohmann::ordered_json& json) {
  std::ofstream out(file);
  out << json.dump(2) << '\n';
  if (!out) throw std::runtime_error(fmt::format("cannot write '{}'", file));
}

// Differences from the committed cycles, each printed.
size_t differences(const nlohmann::ordered_json& cycles) {
  std::ifstream in(kBaseline);
  if (!in) {
    throw std::invalid_argument(fmt::format("cannot read '{}': run in the project", kBaseline));
  }
  const auto committed = nlohmann::ordered_json::parse(in);
  size_t count = 0;
  for (const auto& [configuration, cases] : committed.items()) {
    for (const auto& [key, expected] : cases.items()) {
      const auto found = cycles.contains(configuration) ? cycles[configuration].value(key, 0) : 0;
      if (found == expected.get<int>()) continue;
      fmt::print(stderr, "{}: {}: {} cycles, {} committed\n", configuration, key, found,
                 expected.get<int>());
      ++count;
    }
    if (cases.size() != cycles[configuration].size()) ++count;
  }
  return count;
}

int run(const Flags& flags) {
  if ((flags.check || flags.update) && (flags.layers || !flags.config.empty())) {
    throw std::invalid_argument("--check and --update are for the whole table");
  }
  const nlohmann::ordered_json json = bench(flags);
  if (json.empty()) throw std::invalid_argument(fmt::format("no configuration '{}'", flags.config));
  if (!flags.json.empty()) write(flags.json, json);
  if (flags.update) write(kBaseline, cycles_of(json));
  if (!flags.check) return 0;
  const size_t count = differences(cycles_of(json));
  if (count != 0) {
    fmt::print(stderr, "{} cases differ from {}; if that is meant: make bench ARGS=--update\n",
               count, kBaseline);
    return 1;
  }
  fmt::print("all cycles are the committed ones\n");
  return 0;
}

int bench_main(int argc, char** argv) {
  Flags flags;
  CLI::App app{"Measures rows of matrix products on the tile.", "tile_bench"};
  app.add_option("--config", flags.config, "Only this configuration of rtl/configs.json");
  app.add_option("--target", flags.target, "What is measured: cycle (model) or rtl")
      ->check(CLI::IsMember({"rtl", "cycle"}))
      ->capture_default_str();
  app.add_flag("--layers", flags.layers, "The layer shapes of Qwen2-1.5B, one job each");
  app.add_flag("--check", flags.check, "Fail if a number of cycles is not the committed one");
  app.add_flag("--update", flags.update, "Write the committed cycles");
  app.add_option("--json", flags.json, "Write the results to this file, too");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return run(flags);
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  try {
    return rivulet::bench_main(argc, argv);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
