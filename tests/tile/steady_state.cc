// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/steady_state.h"

#include <numeric>
#include <vector>

#include "sw_model/tile/tile_program.h"
#include "tb/random.h"
#include "tb/tile/tile_driver.h"

namespace rivulet {
namespace {

constexpr size_t kRowBlocks = 4;
constexpr size_t kGroups = 4;

uint64_t beats_of(const TileCounters& counters) {
  return std::accumulate(counters.array_beats.begin(), counters.array_beats.end(), uint64_t{0});
}

std::vector<Bf16> values(Random& random, size_t count) {
  std::vector<Bf16> result(count);
  for (Bf16& value : result) value.bits = static_cast<uint16_t>(0x3F00 + random.below(0x100));
  return result;
}

}  // namespace

SteadyState steady_state(ClockedTile& tile, Stream stream) {
  const Configuration& configuration = tile.configuration();
  const GemmShape shape{.m = kRowBlocks * static_cast<size_t>(configuration.positions),
                        .n = static_cast<size_t>(configuration.psum_depth) / kRowBlocks,
                        .k = kGroups * static_cast<size_t>(configuration.group),
                        .group = static_cast<size_t>(configuration.group),
                        .align_w = configuration.align_w};
  Random random(1);
  const std::vector<Bf16> x = values(random, shape.m * shape.k);
  const std::vector<Bf16> scale(shape.n * shape.groups(), Bf16{0x3C00});
  std::vector<Bf16> w;
  std::vector<int8_t> codes;
  TileProduct product{.shape = shape, .x = x};
  if (stream == Stream::kBf16) {
    w = values(random, shape.n * shape.k);
    product.w = w;
  } else {
    codes.resize(shape.n * shape.k);
    for (int8_t& code : codes) code = static_cast<int8_t>(random.next());
    product.codes = codes;
    product.scale = scale;
    product.read.tier = static_cast<Tier>(stream);
  }

  RandomStalls stalls(0, 0, 0);
  TileDriver driver(tile, stalls, {});
  const auto run = [&](size_t products) {
    TileProgram program(configuration);
    for (size_t i = 0; i < products; ++i) program.add(product);
    const TileCounters before = tile.counters();
    run_streams(driver, configuration, program.streams());
    const TileCounters after = tile.counters();
    return SteadyState{.cycles = after.cycles - before.cycles,
                       .beats = beats_of(after) - beats_of(before)};
  };
  driver.idle(1);  // the first cycle after a reset is not counted
  const SteadyState one = run(1);
  const SteadyState two = run(2);
  return {.cycles = two.cycles - one.cycles,
          .beats = two.beats - one.beats,
          .simulated_cycles = driver.cycles()};
}

}  // namespace rivulet
