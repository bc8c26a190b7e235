// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// tile_bench: how busy the array is in steady streaming, products per cycle, and how fast the tile
// is simulated, for every stream. Exit codes: 0; 1 if the array is less than 99 % busy; 2 wrong
// arguments.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "sw_model/tile/tile_model.h"
#include "tb/tile/rtl_tile.h"
#include "tb/tile/throughput.h"

namespace rivulet {
namespace {

constexpr double kLeastBusy = 0.99;

struct Flags {
  std::string config = "edge";
  std::string target = "rtl";
  size_t groups = 8;
  size_t products = 1;
  std::string json;
};

std::unique_ptr<ClockedTile> make_tile(const Flags& flags, const Configuration& configuration) {
  if (flags.target == "cycle") return std::make_unique<TileModel>(configuration);
  return make_rtl_tile(configuration, {});
}

int run(const Flags& flags) {
  const Configuration& configuration = rivulet::configuration(flags.config);
  nlohmann::ordered_json json{{"config", flags.config}, {"target", flags.target}};
  fmt::print("Tile '{}' ({}): {} lanes, {} positions, {} products of {} groups each\n",
             flags.config, flags.target, configuration.lanes, configuration.positions,
             flags.products, flags.groups);
  fmt::print("{:6} {:>9} {:>9} {:>8} {:>11} {:>7} {:>9} {:>9}\n", "stream", "cycles", "beats",
             "busy %", "MAC/cycle", "peak", "sim kHz", "sim MMAC/s");
  bool busy = true;
  for (const Stream stream : {Stream::kQ8, Stream::kQ4, Stream::kQ2, Stream::kBf16}) {
    const auto tile = make_tile(flags, configuration);
    const Throughput t = measure_throughput(*tile, stream, flags.groups, flags.products);
    const char* name = kStreamNames[static_cast<size_t>(stream)];
    const int peak = stream == Stream::kBf16 ? configuration.peak_macs_per_cycle() / 2
                                             : configuration.peak_macs_per_cycle() * 4 /
                                                   static_cast<int>(slices(stream));
    fmt::print("{:6} {:>9} {:>9} {:>8.2f} {:>11.1f} {:>7} {:>9.1f} {:>9.1f}\n", name, t.cycles,
               t.beats, 100 * t.busy(), t.macs_per_cycle(), peak, t.simulated_khz(),
               t.simulated_khz() * t.macs_per_cycle() / 1e3);
    json["streams"][name] = {{"cycles", t.cycles},
                             {"beats", t.beats},
                             {"busy", t.busy()},
                             {"macs_per_cycle", t.macs_per_cycle()},
                             {"peak_macs_per_cycle", peak},
                             {"simulated_khz", t.simulated_khz()}};
    busy = busy && t.busy() >= kLeastBusy;
  }
  if (!flags.json.empty()) {
    std::ofstream out(flags.json);
    out << json.dump(2) << '\n';
    if (!out) throw std::runtime_error(fmt::format("cannot write '{}'", flags.json));
  }
  if (!busy)
    fmt::print(stderr, "The array is busy in less than {} % of cycles\n", 100 * kLeastBusy);
  return busy ? 0 : 1;
}

int bench_main(int argc, char** argv) {
  Flags flags;
  CLI::App app{"Measures the steady-state throughput of the tile.", "tile_bench"};
  app.add_option("--config", flags.config, "Configuration of rtl/configs.json")
      ->capture_default_str();
  app.add_option("--target", flags.target, "What is measured: rtl or cycle (model)")
      ->check(CLI::IsMember({"rtl", "cycle"}))
      ->capture_default_str();
  app.add_option("--groups", flags.groups, "Groups of each product")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--products", flags.products, "Products in the measured part")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
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
