// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// tile_bench: rows of matrix products on the tile, every word compared with the golden model:
// cycles, busy share, products a cycle, what the array waited for, bytes.
//
// --check compares the cycles with the committed ones: without stalls they are deterministic, and
// the same in the cycle model and the RTL. Exit codes: 0; 1 a word or a number of cycles differs,
// or a goal is missed; 2 wrong arguments.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw_model/common/message.h"
#include "sw_model/common/process.h"
#include "tb/project_root.h"
#include "tb/tile/bench_baseline.h"
#include "tb/tile/bench_case.h"
#include "tb/tile/bench_cases.h"
#include "tb/tile/clocked_device.h"
#include "tb/tile/rtl_device.h"
#include "tb/tile/rtl_tile.h"
#include "tb/variant.h"

namespace rivulet {
namespace {

constexpr const char* kBaseline = "tb/tile/bench_cycles.json";  // in the project

struct Flags {
  std::string config;
  std::string target = "cycle";
  std::string only;
  bool quick = false;
  bool layers = false;
  bool goals = false;
  bool check = false;
  bool update = false;
  std::string json;
};

std::vector<BenchSet> cases(const Flags& flags, const Configuration& configuration) {
  if (flags.layers) return layer_cases(configuration);
  if (flags.goals) return goal_cases(configuration);
  return matrix_cases(configuration, flags.quick || flags.check || flags.update);
}

std::unique_ptr<TileDevice> make_device(const Flags& flags, const Configuration& configuration) {
  if (flags.target == "rtl") return make_rtl_device(configuration, {});
  return make_cycle_device(configuration, {});
}

// The RTL is in variants of this program: of one configuration, or of all.
void need_models(const std::string& config) {
  for (const Configuration& configuration : configurations()) {
    if ((config.empty() || config == configuration.name) && !has_rtl_tile(configuration)) {
      run_variant(fmt::format("tile_bench-{}", config.empty() ? "all" : config),
                  config.empty() ? "the RTL models of all configurations"
                                 : fmt::format("the RTL model of configuration '{}'", config),
                  "build it in its build tree");
    }
  }
}

class Bench {
 public:
  explicit Bench(const Flags& flags) : flags_(flags) {}

  void run() {
    fmt::print("{:6} {:36} {:>8} {:>6} {:>8} {:>10} {:>7} {:>9}  idle cycles\n", "config", "case",
               "cycles", "busy %", "MAC/cyc", "stored B", "fetched", "delivered");
    for (const Configuration& configuration : configurations()) {
      if (!flags_.config.empty() && flags_.config != configuration.name) continue;
      for (const BenchSet& set : cases(flags_, configuration)) run(configuration, set);
    }
    if (count_ == 0) throw std::invalid_argument("no such cases");
    fmt::print("{} cases, {} words compared and equal\n", count_, words_);
  }

  // Results of each case, and their cycles alone.
  nlohmann::ordered_json results;
  BenchCycles cycles;
  size_t missed = 0;  // goals

 private:
  void run(const Configuration& configuration, const BenchSet& set) {
    BenchResult sum;
    for (const BenchCase& c : set.cases) {
      const std::string key = c.key();
      if (!flags_.only.empty() && key.find(flags_.only) == std::string::npos) continue;
      const BenchResult result = run_case(
          configuration, c, [&](const Configuration& used) { return make_device(flags_, used); });
      const bool good = meets_goal(configuration, c, result);
      print(configuration.name, key, result,
            good ? "" : fmt::format(" BELOW {:.0f} %, OR FETCHED TWICE", 100 * c.least_busy));
      record(configuration, c, result);
      missed += good ? 0 : 1;
      sum += result;
      words_ += result.words_compared;
      ++count_;
    }
    if (!set.total.empty() && sum.words_compared != 0) {
      print(configuration.name, set.total, sum, "");
    }
  }

  static void print(const std::string& configuration, const std::string& key, const BenchResult& r,
                    const std::string& verdict) {
    std::string causes;
    for (const auto& [cause, cycles] : r.counters.idle_cycles) {
      if (cycles != 0) causes += fmt::format(" {} {}", cause, cycles);
    }
    fmt::print("{:6} {:36} {:>8} {:>6.2f} {:>8.1f} {:>10} {:>7.3f} {:>9.3f} {}{}\n", configuration,
               key, r.counters.cycles, 100 * r.busy(), r.macs_per_cycle(),
               r.counters.stored_bytes.total(), r.fetched(), r.delivered(), causes, verdict);
    std::fflush(stdout);
  }

  void record(const Configuration& configuration, const BenchCase& c, const BenchResult& r) {
    cycles[configuration.name][c.key()] = r.counters.cycles;
    results[configuration.name][c.key()] = {{"jobs", c.jobs},
                                            {"cycles", r.counters.cycles},
                                            {"busy_cycles", r.counters.array_busy_cycles},
                                            {"idle_cycles", r.counters.idle_cycles},
                                            {"busy", r.busy()},
                                            {"macs_per_cycle", r.macs_per_cycle()},
                                            {"peak", peak_macs(configuration, c.stream)},
                                            {"stored_bytes", r.counters.stored_bytes.total()},
                                            {"fetched_bytes", r.counters.fetched_bytes.total()},
                                            {"delivered_bytes", r.delivered_bytes()},
                                            {"words_compared", r.words_compared}};
  }

  const Flags& flags_;
  size_t count_ = 0;  // cases
  uint64_t words_ = 0;
};

int run(const Flags& flags) {
  Bench bench(flags);
  bench.run();
  if (!flags.json.empty()) write_json(bench.results, flags.json);
  if (flags.update) write_json(bench.cycles, project_file(kBaseline));
  if (bench.missed != 0) print_error("{} cases miss their goal\n", bench.missed);
  if (!flags.check) return bench.missed == 0 ? 0 : 1;
  const std::vector<std::string> lines = differences(bench.cycles, project_file(kBaseline));
  for (const std::string& line : lines) print_error("{}\n", line);
  if (lines.empty()) {
    fmt::print("all cycles are those of {}\n", kBaseline);
  } else {
    print_error("{} differences from {}; if they are meant: make bench ARGS=--update\n",
                lines.size(), kBaseline);
  }
  return lines.empty() ? 0 : 1;
}

int bench_main(int argc, char** argv) {
  Flags flags;
  CLI::App app{"Measures rows of matrix products on the tile.", "tile_bench"};
  auto* config =
      app.add_option("--config", flags.config, "Only this configuration of rtl/configs.json");
  auto* target = app.add_option("--target", flags.target, "What is measured: cycle (model) or rtl")
                     ->check(CLI::IsMember({"rtl", "cycle"}))
                     ->capture_default_str();
  auto* only = app.add_option("--only", flags.only, "Only cases whose name contains this");
  auto* quick = app.add_flag("--quick", flags.quick, "Leave out the cases that take long");
  auto* layers = app.add_flag("--layers", flags.layers,
                              "Instead the layers of Qwen2-1.5B, with goals, one job each");
  auto* goals = app.add_flag("--goals", flags.goals, "Instead rows of jobs with goals");
  goals->excludes(layers, quick);
  auto* check = app.add_flag("--check", flags.check,
                             "Quick; fail if a number of cycles is not the committed one");
  auto* update = app.add_flag("--update", flags.update, "Quick; write the committed cycles");
  check->excludes(layers, goals, only);
  update->excludes(layers, goals, only, check, config, target);
  app.add_option("--json", flags.json, "Write the results to this file, too");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (!flags.config.empty()) configuration(flags.config);  // refuses an unknown one
  if (flags.target == "rtl") need_models(flags.config);
  return run(flags);
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  rivulet::prepare_process();
  try {
    const int exit_code = rivulet::bench_main(argc, argv);
    if (rivulet::output_arrived()) return exit_code;
    rivulet::print_error("standard output: writing failed\n");
    return exit_code == 0 ? 1 : exit_code;
  } catch (const std::invalid_argument& error) {
    rivulet::print_error("{}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    rivulet::print_error("{}\n", error.what());
    return 1;
  }
}
