// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/throughput.h"

#include <chrono>
#include <numeric>
#include <vector>

#include "sw_model/tile/tile_driver.h"
#include "sw_model/tile/tile_program.h"
#include "tb/random.h"

namespace rivulet {
namespace {

uint64_t total(const PerStream& values) {
  return std::accumulate(values.begin(), values.end(), uint64_t{0});
}

}  // namespace

Throughput measure_throughput(ClockedTile& tile, Stream stream, size_t groups, size_t products) {
  const Configuration& configuration = tile.configuration();
  // Enough row blocks that fetching is faster than computing for every stream.
  constexpr size_t kRowBlocks = 4;
  const GemmShape shape{.m = kRowBlocks * static_cast<size_t>(configuration.positions),
                        .n = static_cast<size_t>(configuration.psum_depth) / kRowBlocks,
                        .k = groups * static_cast<size_t>(configuration.group),
                        .group = static_cast<size_t>(configuration.group),
                        .align_w = configuration.align_w};
  Random random(1);
  std::vector<Bf16> x(shape.m * shape.k);
  std::vector<Bf16> scale(shape.n * shape.groups(), Bf16{0x3C00});
  std::vector<Bf16> w(stream == Stream::kBf16 ? shape.n * shape.k : 0);
  std::vector<int8_t> codes(stream == Stream::kBf16 ? 0 : shape.n * shape.k);
  for (Bf16& value : x) value.bits = static_cast<uint16_t>(0x3F00 + random.below(0x100));
  for (Bf16& value : w) value.bits = static_cast<uint16_t>(0x3F00 + random.below(0x100));
  for (int8_t& code : codes) code = static_cast<int8_t>(random.next());
  TileProduct product{.shape = shape, .x = x, .codes = codes, .scale = scale, .w = w};
  if (stream != Stream::kBf16) product.read.tier = static_cast<Tier>(stream);

  RandomStalls stalls(0, 0, 0);
  TileDriver driver(tile, stalls, {});
  Throughput result{.stream = stream};
  const auto start = std::chrono::steady_clock::now();
  const auto run = [&](size_t count, int64_t sign) {
    TileProgram program(configuration);
    for (size_t i = 0; i < count; ++i) program.add(product);
    const TileCounters before = tile.counters();
    driver.run(program.streams());
    const TileCounters after = tile.counters();
    const auto add = [sign](uint64_t& sum, uint64_t value) {
      sum = sign > 0 ? sum + value : sum - value;
    };
    add(result.cycles, after.cycles - before.cycles);
    add(result.beats, total(after.array_beats) - total(before.array_beats));
    add(result.macs, total(after.macs) - total(before.macs));
  };
  driver.idle(1);  // the first cycle after a reset is not counted
  run(2 * products, 1);
  run(products, -1);
  result.simulated_cycles = driver.cycles();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace rivulet
