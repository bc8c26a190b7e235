// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The tile in RTL against its cycle model (every port, every cycle) and the functional model (every
// output word): odd shapes, every stream, transposed passes, PE kinds, stalls, seeds, resets.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "sw_model/tile/counters.h"
#include "tb/options.h"
#include "tb/report.h"
#include "tests/tile/steady_state.h"
#include "tests/tile/tile_bench.h"

namespace rivulet {
namespace {

constexpr std::array<Stream, 4> kStreams{Stream::kQ8, Stream::kQ4, Stream::kQ2, Stream::kBf16};

std::vector<Stream> streams_of(const Configuration& configuration) {
  if (configuration.q8_only != 0) return {Stream::kQ8, Stream::kBf16};
  return {kStreams.begin(), kStreams.end()};
}

template <typename T>
void shuffle(std::vector<T>& values, Random& random) {
  for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

// One product per stream, in a random order; a part of them is transposed, or of mixed tiers.
std::vector<OwnedProduct> every_stream(const Configuration& configuration, const TileShape& shape,
                                       Random& random, ProductSource& source) {
  std::vector<OwnedProduct> products;
  for (const Stream stream : streams_of(configuration)) {
    products.push_back(source.draw(random, configuration, shape, stream, random.chance(0.3)));
    if (stream != Stream::kBf16 && random.chance(0.3)) {
      source.mix(random, configuration, products.back());
    }
  }
  shuffle(products, random);
  return products;
}

// All shapes with all streams, four products a program, in a random order, without a reset.
void run_shapes(const TileVariant& variant, std::vector<TileShape> shapes,
                const StallPattern& pattern, uint64_t seed, ProductSource& source) {
  SCOPED_TRACE(testing::Message() << variant.configuration.name << ", stalls: " << pattern.name
                                  << ", seed " << seed);
  Random random(seed);
  shuffle(shapes, random);
  TileBench bench(variant, pattern, seed);
  for (const TileShape& shape : shapes) {
    if (!bench.run(every_stream(variant.configuration, shape, random, source))) break;
  }
  EXPECT_TRUE(bench.finish());
}

class TileTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!options().selects_config(GetParam())) GTEST_SKIP();
    if (!variant().present()) GTEST_SKIP() << "no RTL of this configuration in this program";
  }
  const TileVariant& variant() const { return tile_variant(GetParam()); }
  const Configuration& configuration() const { return variant().configuration; }
};
std::string variant_name(const testing::TestParamInfo<const char*>& info) { return info.param; }

class SmallTileTest : public TileTest {};
INSTANTIATE_TEST_SUITE_P(Tile, SmallTileTest,
                         testing::Values("unit", "group1", "group2", "group8", "q8only"),
                         variant_name);

// Seed s runs with stall pattern s.
TEST_P(SmallTileTest, OddShapesEveryStream) {
  const std::vector<TileShape> shapes = tile_shapes(configuration());
  ASSERT_GE(shapes.size(), 40U);
  ProductSource source;
  const auto& patterns = stall_patterns();
  for (const uint64_t seed : options().seeds(5)) {
    run_shapes(variant(), shapes, patterns[seed % patterns.size()], seed, source);
    if (HasFailure()) return;
  }
  EXPECT_EQ(source.never_drawn(), "");
}

// The same with the other stall patterns: each port slow in turn.
TEST_P(SmallTileTest, OddShapesSlowPorts) {
  const std::vector<TileShape> shapes = tile_shapes(configuration());
  ProductSource source;
  const auto& patterns = stall_patterns();
  for (size_t i = 5; i < patterns.size(); ++i) {
    for (const uint64_t seed : options().seeds(1)) {
      run_shapes(variant(), shapes, patterns[i], seed, source);
      if (HasFailure()) return;
    }
  }
}

// A reset at any time leaves nothing behind.
TEST_P(SmallTileTest, ResetAnyTime) {
  ProductSource source;
  const std::vector<TileShape> shapes = tile_shapes(configuration());
  for (const uint64_t seed : options().seeds(5)) {
    Random random(seed);
    TileBench bench(variant(), stall_patterns()[1], seed);
    for (int i = 0; i < 5; ++i) {
      // The third shape of the list needs several tiles in every direction.
      const auto products = every_stream(configuration(), shapes[2], random, source);
      if (!bench.run_and_reset(products, 1 + random.below(900))) break;
      const TileShape& shape = shapes[random.below(shapes.size())];
      if (!bench.run(every_stream(configuration(), shape, random, source))) break;
    }
    ASSERT_TRUE(bench.finish());
  }
}

// The alignment widths that matter: the narrowest, 10, 12 and the widest of the build.
TEST_P(SmallTileTest, AlignmentWidths) {
  ProductSource source;
  const auto size = [](int value) { return static_cast<size_t>(value); };
  const TileShape shape{
      .m = size(configuration().positions) + 1, .n = 7, .k = 2 * size(configuration().group) + 3};
  Random random(1);
  TileBench bench(variant(), stall_patterns()[0], 1);
  for (const int align_w : {9, 10, 12, 16}) {
    std::vector<OwnedProduct> products;
    for (const Stream stream : streams_of(configuration())) {
      products.push_back(source.draw(random, configuration(), shape, stream));
      products.back().shape.align_w = std::min(align_w, configuration().align_w);
    }
    if (!bench.run(products)) break;
  }
  EXPECT_TRUE(bench.finish());
}

// Every combination of the sizes, all patterns: for long runs only.
TEST_P(SmallTileTest, Sweep) {
  if (std::getenv("RIVULET_SWEEP") == nullptr) {
    GTEST_SKIP() << "a long run: set RIVULET_SWEEP=1";
  }
  ProductSource source;
  const std::vector<TileShape> shapes = tile_shape_product(configuration());
  for (const StallPattern& pattern : stall_patterns()) {
    for (const uint64_t seed : options().seeds(5)) {
      run_shapes(variant(), shapes, pattern, seed, source);
      if (HasFailure()) return;
    }
  }
}

class LargeTileTest : public TileTest {};
INSTANTIATE_TEST_SUITE_P(Tile, LargeTileTest, testing::Values("edge", "kv260"), variant_name);

// The shapes of the list that stay small on a large tile.
TEST_P(LargeTileTest, OddShapesEveryStream) {
  std::vector<TileShape> shapes = tile_shapes(configuration());
  std::erase_if(shapes, [](const TileShape& s) { return s.n * s.m > 600 || s.k > 300; });
  ASSERT_GE(shapes.size(), 8U);
  ProductSource source;
  for (const uint64_t seed : options().seeds(1)) {
    run_shapes(variant(), shapes, stall_patterns()[seed % 2], seed, source);
  }
}

// Steady streaming keeps the array busy, counted by the RTL itself.
TEST_P(LargeTileTest, ArrayIsBusyInSteadyStreaming) {
  for (const Stream stream : kStreams) {
    WaveTicket ticket(1);
    const auto tile = make_rtl_tile(configuration(), {.seed = 1, .waves = ticket.waves()});
    const SteadyState s = steady_state(*tile, stream);
    EXPECT_GE(s.busy(), 0.99) << kStreamNames[static_cast<size_t>(stream)];
    EXPECT_LE(s.busy(), 1.0);
    report().add_simulation(s.simulated_cycles);
  }
}

}  // namespace
}  // namespace rivulet
