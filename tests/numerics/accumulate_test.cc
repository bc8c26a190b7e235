// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §6, against MPFR (exact addend, one rounding) and exact rationals.

#include "sw_model/numerics/accumulate.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "sw_model/numerics/fp32.h"
#include "tb/random.h"
#include "tests/numerics/accumulate_cases.h"
#include "tests/numerics/compared.h"
#include "tests/numerics/mpfr_oracle.h"
#include "tests/numerics/rational_oracle.h"

namespace rivulet {
namespace {

using oracle::MpfrOracle;

// The outcome of one step in one number: pattern, then the two counts.
uint64_t outcome(uint32_t acc, bool special, bool saturated) {
  return uint64_t{acc} | static_cast<uint64_t>(special) << 32 |
         static_cast<uint64_t>(saturated) << 33;
}

uint64_t library_outcome(const AccumulateCase& c) {
  AccumulateCounts counts;
  const float acc =
      accumulate(fp32_from_bits(c.acc), c.partial, Bf16{static_cast<uint16_t>(c.scale)},
                 static_cast<uint8_t>(c.group_exponent), c.align_w, counts);
  return outcome(fp32_bits(acc), counts.special == 1, counts.saturated == 1);
}

uint64_t mpfr_outcome(MpfrOracle& mpfr, const AccumulateCase& c) {
  const MpfrOracle::Step step =
      mpfr.accumulate(c.acc, c.partial, c.scale, c.group_exponent == 255, c.exponent());
  return outcome(step.acc, step.special, step.saturated);
}

// What happened, as the oracle sees it: each of these must have been met.
std::string kind_of(const AccumulateCase& c, uint64_t expected) {
  const auto acc = static_cast<uint32_t>(expected);
  if ((expected >> 32 & 1) != 0) return "special";
  if ((expected >> 33 & 1) != 0) return acc >> 31 != 0 ? "overflow to -Inf" : "overflow to +Inf";
  if (acc == 0x80000000) return "flush to -0";
  if (acc == 0)
    return c.partial == 0 || (c.scale & 0x7F80) == 0 ? "zero plus zero"
                                                     : "flush to +0 or exact cancellation";
  if ((acc & 0x7F800000) == 0x7F800000) return "sticky Inf or NaN";
  return acc == c.acc ? "unchanged" : "rounded sum";
}

TEST(Accumulate, RandomAgainstMpfr) {
  constexpr uint64_t kCases = 10'500'000;
  const uint64_t seed = test_seed();
  Random random(seed);
  AccumulateCases cases;
  MpfrOracle mpfr;
  std::map<std::string, uint64_t> met;
  Compared compared("accumulate", seed);
  for (uint64_t i = 0; i < kCases; ++i) {
    const AccumulateCase c = cases.draw(random);
    const uint64_t expected = mpfr_outcome(mpfr, c);
    compared.equal(expected, library_outcome(c), [&] { return c.text(); });
    if (i % 16 == 0) ++met[kind_of(c, expected)];
  }
  EXPECT_EQ(cases.never_drawn(), "");
  EXPECT_EQ(met.size(), 9U) << "a kind of outcome was never met";
  for (const auto& [kind, count] : met)
    fmt::print("  outcome {}: {} of every 16th case\n", kind, count);
  fmt::print("  cases: {}\n", cases.counts());
  compared.done(kCases);
}

TEST(Accumulate, RandomAgainstRationals) {
  constexpr uint64_t kCases = 60'000;
  const uint64_t seed = test_seed() + 1;
  Random random(seed);
  AccumulateCases cases;
  Compared compared("accumulate, rationals", test_seed());
  uint64_t finite = 0;
  while (finite < kCases) {
    const AccumulateCase c = cases.draw(random);
    if (c.group_exponent == 255 || oracle::kBf16.field(c.scale) == 255 ||
        oracle::kFp32.field(c.acc) == 255) {
      continue;
    }
    ++finite;
    const mpq_class sum =
        oracle::value_of(oracle::kFp32, c.acc) + mpq_class(static_cast<long>(c.partial)) *
                                                     oracle::value_of(oracle::kBf16, c.scale) *
                                                     oracle::power_of_two(c.exponent());
    const uint32_t expected = oracle::round(oracle::kFp32, sum);
    compared.equal(outcome(expected, false, oracle::kFp32.is_infinite(expected)),
                   library_outcome(c), [&] { return c.text(); });
  }
  compared.done(kCases);
}

// Every distance between the two terms, with the addend at, just above and just below a power of
// two, both signs: the sticky bit must reach the rounding from any distance.
TEST(Accumulate, EveryExponentGap) {
  MpfrOracle mpfr;
  Compared compared("accumulate, exponent gaps");
  const uint32_t fractions[] = {0x000000, 0x000001, 0x400000, 0x7FFFFE, 0x7FFFFF};
  const int64_t partials[] = {1,
                              3,
                              (1 << 12) - 1,
                              (1 << 12) + 1,
                              (int64_t{1} << 36) - 1,
                              int64_t{1} << 36,
                              (int64_t{1} << 36) + 1};
  uint64_t expected_count = 0;
  for (const uint32_t fraction : fractions) {
    for (const int field : {1, 60, 127, 254}) {
      for (int weight = -240; weight <= 127; ++weight) {
        for (const int64_t partial : partials) {
          for (const int sign : {1, -1}) {
            AccumulateCase c;
            c.acc = static_cast<uint32_t>(field) << 23 | fraction;
            c.partial = sign * partial;
            const int sum = weight + 252 + c.align_w;
            c.group_exponent = sum / 2;
            c.scale = static_cast<uint32_t>(sum - sum / 2) << 7;
            compared.equal(mpfr_outcome(mpfr, c), library_outcome(c), [&] { return c.text(); });
            ++expected_count;
          }
        }
      }
    }
  }
  EXPECT_EQ(expected_count, 5U * 4 * 368 * 7 * 2);
  compared.done(expected_count);
}

// Special operands win over everything, for every kind of accumulator and whatever P and scale are.
TEST(Accumulate, SpecialOperands) {
  MpfrOracle mpfr;
  Compared compared("accumulate, special operands");
  for (const uint32_t acc : {0x00000000U, 0x80000000U, 0x3F800000U, 0x7F7FFFFFU, 0x7F800000U,
                             0xFF800000U, 0x7FC00000U}) {
    for (const int64_t partial : {int64_t{0}, int64_t{1}, int64_t{-128}}) {
      for (const uint32_t scale : {0x0000U, 0x8000U, 0x0001U, 0x3F80U, 0xBF80U, 0x7F7FU, 0x7F80U,
                                   0xFF80U, 0x7F81U, 0xFFFFU}) {
        for (const int group_exponent : {0, 1, 127, 254, 255}) {
          const AccumulateCase c{acc, partial, scale, group_exponent, 16};
          compared.equal(mpfr_outcome(mpfr, c), library_outcome(c), [&] { return c.text(); });
        }
      }
    }
  }
  compared.done(7 * 3 * 10 * 5);
}

TEST(Accumulate, AlignedStreamsAgainstMpfr) {
  constexpr uint64_t kCases = 4'000'000;
  const uint64_t seed = test_seed() + 2;
  Random random(seed);
  AccumulateCases cases;
  MpfrOracle mpfr;
  Compared compared("accumulate, aligned streams", test_seed());
  for (uint64_t i = 0; i < kCases; ++i) {
    const AccumulateCase c = cases.draw(random);
    // The second exponent takes the place of the scale, so that the same cases stay near each
    // other.
    const int stream_exponent = static_cast<int>(oracle::kBf16.field(c.scale));
    const bool special = c.group_exponent == 255 || stream_exponent == 255;
    const int exponent = (c.group_exponent - 127) + (stream_exponent - 127) - 2 * c.align_w + 4;
    const MpfrOracle::Step step = mpfr.accumulate(c.acc, c.partial, 0x3F80, special, exponent);
    AccumulateCounts counts;
    const float acc =
        accumulate_aligned(fp32_from_bits(c.acc), c.partial, static_cast<uint8_t>(c.group_exponent),
                           static_cast<uint8_t>(stream_exponent), c.align_w, counts);
    compared.equal(outcome(step.acc, step.special, step.saturated),
                   outcome(fp32_bits(acc), counts.special == 1, counts.saturated == 1), [&] {
                     return fmt::format("{}, stream exponent {}", c.text(), stream_exponent);
                   });
  }
  EXPECT_EQ(cases.never_drawn(), "");
  compared.done(kCases);
}

// One bad group is enough, and each step counts once.
TEST(Accumulate, CountsEveryStep) {
  AccumulateCounts counts;
  float acc = 0;
  acc = accumulate(acc, 1 << 20, Bf16{0x7F00}, 254, 16, counts);
  EXPECT_EQ(fp32_bits(acc), 0x7F800000U);
  acc = accumulate(acc, -(1 << 20), Bf16{0x7F00}, 254, 16, counts);  // stays Inf, counted once
  EXPECT_EQ(fp32_bits(acc), 0x7F800000U);
  EXPECT_EQ(counts, (AccumulateCounts{.special = 0, .saturated = 1}));
  acc = accumulate(acc, 1, Bf16{0x3F80}, 255, 16, counts);
  EXPECT_EQ(fp32_bits(acc), kFp32CanonicalNanBits);
  acc = accumulate(acc, 1, Bf16{0x7FFF}, 255, 16, counts);
  acc = accumulate(acc, 1, Bf16{0x3F80}, 127, 16, counts);
  EXPECT_EQ(fp32_bits(acc), kFp32CanonicalNanBits);
  EXPECT_EQ(counts, (AccumulateCounts{.special = 2, .saturated = 1}));
}

}  // namespace
}  // namespace rivulet
