// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The tile in RTL against its cycle model (every port, every cycle) and the functional model (every
// output word): odd shapes, every stream, transposed passes, PE kinds, stalls, seeds.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tb/options.h"
#include "tests/tile/tile_bench.h"

namespace rivulet {
namespace {

constexpr std::array<Stream, 4> kStreams{Stream::kQ8, Stream::kQ4, Stream::kQ2, Stream::kBf16};

// All shapes with all streams, four products a program, in a random order, without a reset; a part
// of the products is transposed.
void run_shapes(const TileVariant& variant, std::vector<TileShape> shapes,
                const StallPattern& pattern, uint64_t seed, ProductSource& source) {
  SCOPED_TRACE(testing::Message() << variant.configuration.name << ", stalls: " << pattern.name
                                  << ", seed " << seed);
  Random random(seed);
  for (size_t i = shapes.size(); i > 1; --i) std::swap(shapes[i - 1], shapes[random.below(i)]);
  TileBench bench(variant, pattern, seed);
  for (const TileShape& shape : shapes) {
    std::vector<OwnedProduct> products;
    for (const Stream stream : kStreams) {
      products.push_back(
          source.draw(random, variant.configuration, shape, stream, random.chance(0.3)));
    }
    for (size_t i = products.size(); i > 1; --i) {
      std::swap(products[i - 1], products[random.below(i)]);
    }
    if (!bench.run(products)) break;
  }
  EXPECT_TRUE(bench.finish());
}

class TileShapesTest : public testing::TestWithParam<const char*> {};

TEST_P(TileShapesTest, OddShapesEveryStream) {
  const TileVariant& variant = tile_variant(GetParam());
  if (!options().selects_config(variant.configuration.name)) GTEST_SKIP();
  const std::vector<TileShape> shapes = tile_shapes(variant.configuration);
  ASSERT_GE(shapes.size(), 40U);
  ProductSource source;
  const auto& patterns = stall_patterns();
  for (const uint64_t seed : options().seeds(5)) {
    run_shapes(variant, shapes, patterns[seed % patterns.size()], seed, source);
    if (HasFailure()) return;
  }
  EXPECT_EQ(source.never_drawn(), "");
}

INSTANTIATE_TEST_SUITE_P(Small, TileShapesTest,
                         testing::Values("unit", "select", "group1", "group2", "group8"));

}  // namespace
}  // namespace rivulet
