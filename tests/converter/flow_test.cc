// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Flow: back-pressure and stalls on every port, throughput and latency, reset.

#include <functional>
#include <numeric>

#include "tb/value_classes.h"
#include "tests/converter/converter_bench.h"
#include "tests/converter/converter_configs.h"

namespace rivulet {
namespace {

ReadRequest random_request(Random& random) {
  ReadRequest request;
  request.tier = static_cast<Tier>(random.below(4));
  request.kind = static_cast<Kind>(random.below(2));
  request.view = {static_cast<Q4Rounding>(random.below(2)),
                  static_cast<int>(random.between(1, 128)), static_cast<int>(random.between(0, 5)),
                  static_cast<int>(random.between(-20, 128)),
                  static_cast<int>(random.between(-129, 20))};
  return request;
}

template <typename Config>
class ConverterFlow : public ConverterSuite<Config> {
 protected:
  using Bench = ConverterBench<Config>;

  // `count` random requests of up to `max_codes` codes; stored codes from the weighted classes.
  static void submit_random(Bench& bench, Random& random, unsigned count, std::uint32_t max_codes) {
    ValueClasses codes_of("q8_code");
    for (unsigned i = 0; i < count; ++i) {
      std::vector<std::int8_t> codes(random.below(max_codes + 1));
      for (std::int8_t& code : codes) code = codes_of.code(random);
      bench.submit(random_request(random), codes);
    }
  }
  static void run_random(std::uint64_t seed, const typename Bench::Stalls& stalls) {
    Bench bench(seed, stalls);
    Random random(seed);
    submit_random(bench, random, 150, 2 * Bench::kWordCodes + 5);
    bench.run();
    EXPECT_TRUE(bench.finish()) << "stalls: request " << stalls.request.name() << ", word "
                                << stalls.word.name() << ", beat " << stalls.beat.name();
  }
  // Three words at each width, with an odd rest, and empty requests between.
  static void submit_fixed(Bench& bench) {
    for (const Tier tier : {Tier::kQ2, Tier::kQ8, Tier::kQ0, Tier::kQ4, Tier::kQ8, Tier::kQ2}) {
      std::vector<std::int8_t> codes(2 * Bench::kWordCodes + 7);
      std::iota(codes.begin(), codes.end(), static_cast<std::int8_t>(-100));
      bench.submit({tier, Kind::kKv, default_view(Kind::kKv)}, codes);
    }
  }
};
TYPED_TEST_SUITE(ConverterFlow, ConverterConfigs, ConverterConfigName);

TYPED_TEST(ConverterFlow, RandomStalls) {
  for (const std::uint64_t seed : options().seeds(6)) {
    this->run_random(seed, {Stall::random(0.3), Stall::random(0.3), Stall::random(0.3)});
  }
}

TYPED_TEST(ConverterFlow, OnePortMostlyStalled) {
  for (const std::uint64_t seed : options().seeds(5)) {
    const Stall mostly = Stall::random(0.9);
    this->run_random(seed, {mostly, Stall::never(), Stall::never()});
    this->run_random(seed, {Stall::never(), mostly, Stall::never()});
    this->run_random(seed, {Stall::never(), Stall::never(), mostly});
  }
}

TYPED_TEST(ConverterFlow, DirectedStalls) {
  const std::uint64_t seed = options().seeds(1).front();
  const Stall stalls[] = {Stall::never(), Stall::alternate(), Stall::bursts(3, 2),
                          Stall::bursts(1, 5)};
  for (const Stall& request : stalls) {
    for (const Stall& word : stalls) {
      for (const Stall& beat : stalls) this->run_random(seed, {request, word, beat});
    }
  }
}

// Each transfer of each port in turn is held back for 1 to 3 cycles.
TYPED_TEST(ConverterFlow, EveryTransferHeldBack) {
  using Bench = ConverterBench<TypeParam>;
  const std::uint64_t seed = options().seeds(1).front();
  Bench dry(seed, {});
  this->submit_fixed(dry);
  const std::uint64_t beats = dry.expected_beats();
  dry.run();
  EXPECT_TRUE(dry.finish());
  EXPECT_EQ(beats, 2U * 3 + 2U * 9 + 5);

  for (unsigned cycles = 1; cycles <= 3; ++cycles) {
    for (std::uint64_t i = 0; i < beats; ++i) {
      const Stall stall = Stall::at_transfer(i, cycles);
      for (const typename Bench::Stalls& stalls :
           {typename Bench::Stalls{.request = stall}, typename Bench::Stalls{.word = stall},
            typename Bench::Stalls{.beat = stall}}) {
        Bench bench(seed, stalls);
        this->submit_fixed(bench);
        bench.run();
        ASSERT_TRUE(bench.finish()) << stall.name();
      }
    }
  }
}

// N beats take N + 2 cycles after the cycle in which the first request is accepted, whatever the
// tags.
TYPED_TEST(ConverterFlow, OneBeatPerCycle) {
  using Bench = ConverterBench<TypeParam>;
  if (options().stall_in || options().stall_out) GTEST_SKIP() << "needs ports that do not stall";
  for (const std::uint64_t seed : options().seeds(5)) {
    Bench bench(seed, {});
    Random random(seed);
    std::uint32_t previous_beats = 0;
    for (int i = 0; i < 400; ++i) {
      ReadRequest request = random_request(random);
      // An empty request is free in the shadow of a request of two beats or more.
      if (request.tier == Tier::kQ0 && previous_beats < 2) request.tier = Tier::kQ2;
      const std::vector<std::int8_t> codes(random.between(1, 2 * Bench::kWordCodes),
                                           static_cast<std::int8_t>(i));
      previous_beats =
          static_cast<std::uint32_t>(beat_count(codes.size(), request.tier, Bench::kLinkBits));
      bench.submit(request, codes);
    }
    bench.run();
    ASSERT_TRUE(bench.finish());
    const std::vector<std::uint64_t>& cycles = bench.beat_cycles();
    ASSERT_EQ(cycles.size(), bench.expected_beats());
    EXPECT_EQ(cycles.front(), bench.first_request_cycle() + 3);
    EXPECT_EQ(cycles.back(), bench.first_request_cycle() + 2 + cycles.size());
  }
}

TYPED_TEST(ConverterFlow, ResetInTheMiddle) {
  using Bench = ConverterBench<TypeParam>;
  for (const std::uint64_t seed : options().seeds(5)) {
    Bench bench(seed, {Stall::random(0.2), Stall::random(0.2), Stall::random(0.5)});
    Random random(seed);
    for (unsigned cycles = 0; cycles < 40; ++cycles) {
      this->submit_random(bench, random, 20, Bench::kWordCodes);
      bench.run_and_reset(cycles);
    }
    this->submit_random(bench, random, 20, Bench::kWordCodes);
    bench.run();
    EXPECT_TRUE(bench.finish());
  }
}

}  // namespace
}  // namespace rivulet
