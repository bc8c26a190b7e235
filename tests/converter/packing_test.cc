// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Packing: lane order, partial last beats, tags that change from request to request, empty
// requests.

#include <numeric>

#include "tests/converter/converter_bench.h"
#include "tests/converter/converter_configs.h"

namespace rivulet {
namespace {

constexpr Tier kTiers[] = {Tier::kQ8, Tier::kQ4, Tier::kQ2, Tier::kQ0};

// A view under which the low bits of a small code survive at every width.
constexpr View kPlainView{Q4Rounding::kTruncate, 128, 0, 1, -1};

std::uint64_t digit_sum(std::uint64_t value, std::uint64_t base) {
  std::uint64_t sum = 0;
  for (; value != 0; value /= base) sum += value % base;
  return sum;
}

// Codes that tell their position: the index at q8; at q4 and q2 the digit sum of the index in base
// 16 and 3, so that neighbours and lanes a power of two apart differ.
std::vector<std::int8_t> position_coded(std::size_t count, Tier tier, std::uint64_t salt) {
  std::vector<std::int8_t> codes(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t index = i + salt;
    int code = static_cast<int>(index % 256) - 128;
    if (tier == Tier::kQ4) code = static_cast<int>(digit_sum(index, 16) % 16) - 8;
    if (tier == Tier::kQ2) code = static_cast<int>(digit_sum(index, 3) % 3) - 1;
    codes[i] = static_cast<std::int8_t>(code);
  }
  return codes;
}

template <typename Config>
class ConverterPacking : public ConverterSuite<Config> {};
TYPED_TEST_SUITE(ConverterPacking, ConverterConfigs, ConverterConfigName);

TYPED_TEST(ConverterPacking, EveryLengthUpToTwoWords) {
  for (const Tier tier : {Tier::kQ8, Tier::kQ4, Tier::kQ2}) {
    ConverterBench<TypeParam> bench(options().seeds(1).front(), {});
    std::uint64_t beats = 0;
    for (std::uint32_t n = 1; n <= 2 * bench.kWordCodes; ++n) {
      const auto codes = position_coded(n, tier, n);
      bench.submit({tier, Kind::kFfn, kPlainView}, codes, codes);
      beats += (n * bits_per_code(tier) + TypeParam::kLinkBits - 1) / TypeParam::kLinkBits;
    }
    EXPECT_EQ(bench.expected_beats(), beats);
    bench.run();
    EXPECT_TRUE(bench.finish());
  }
}

TYPED_TEST(ConverterPacking, MixedTags) {
  for (const std::uint64_t seed : options().seeds(5)) {
    ConverterBench<TypeParam> bench(seed, {});
    Random random(seed);
    std::vector<std::uint64_t> tier_pairs(16);
    std::size_t previous = 0;
    for (int i = 0; i < 600; ++i) {
      const std::size_t tier = random.below(4);
      ++tier_pairs[4 * previous + tier];
      previous = tier;
      const auto codes = position_coded(random.below(3 * bench.kWordCodes + 1), kTiers[tier], i);
      bench.submit({kTiers[tier], random.below(2) == 0 ? Kind::kKv : Kind::kFfn, kPlainView},
                   codes);
    }
    for (const std::uint64_t count : tier_pairs)
      EXPECT_GT(count, 0U) << "a pair of tags is missing";
    bench.run();
    EXPECT_TRUE(bench.finish());
  }
}

// Requests of no codes and q0 requests, alone and in runs between others: neither word nor beat.
TYPED_TEST(ConverterPacking, EmptyRequests) {
  ConverterBench<TypeParam> bench(options().seeds(1).front(), {});
  const std::vector<std::int8_t> many(5 * bench.kWordCodes, 17);
  for (int run = 0; run < 6; ++run) {
    for (int i = 0; i < run; ++i) {
      bench.submit({Tier::kQ0, Kind::kKv, kPlainView}, many);
      for (const Tier tier : kTiers) bench.submit({tier, Kind::kFfn, kPlainView}, {});
    }
    const auto codes = position_coded(bench.kWordCodes + 3, Tier::kQ4, run);
    bench.submit({Tier::kQ4, Kind::kKv, kPlainView}, codes, codes);
  }
  EXPECT_EQ(bench.expected_beats(), 6U * 3);
  bench.run();
  EXPECT_TRUE(bench.finish());
}

TYPED_TEST(ConverterPacking, OnlyEmptyRequestsGiveNoBeat) {
  ConverterBench<TypeParam> bench(options().seeds(1).front(), {});
  const std::vector<std::int8_t> codes(1000, -1);
  for (int i = 0; i < 10; ++i) bench.submit({Tier::kQ0, Kind::kFfn, kPlainView}, codes);
  EXPECT_EQ(bench.expected_beats(), 0U);
  bench.run();
  EXPECT_TRUE(bench.finish());
}

}  // namespace
}  // namespace rivulet
