// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §3 and fp32_add, fp32_mul of §12.1, against MPFR.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sw_model/numerics/bf16.h"
#include "sw_model/numerics/fp32.h"
#include "tb/random.h"
#include "tb/value_classes.h"
#include "tests/numerics/compared.h"
#include "tests/numerics/mpfr_oracle.h"

namespace rivulet {
namespace {

using oracle::kBf16;
using oracle::kFp32;
using oracle::MpfrOracle;

constexpr uint64_t kRandomCases = 10'000'000;

TEST(Rounding, EveryBf16ThroughFp32AndBack) {
  Compared widened("BF16 to FP32");
  Compared narrowed("BF16 to FP32 to BF16");
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = to_float(Bf16{static_cast<uint16_t>(bits)});
    const auto describe = [&] { return fmt::format("BF16 {:04X}", bits); };
    widened.equal(bits << 16, fp32_bits(value), describe);
    const bool subnormal = kBf16.field(bits) == 0;
    const uint32_t expected =
        kBf16.is_nan(bits) ? oracle::kNan16 : (subnormal ? bits & 0x8000 : bits);
    narrowed.equal(expected, uint32_t{bf16_from_float(value).bits}, describe);
  }
  widened.done(0x10000);
  narrowed.done(0x10000);
}

// All upper halves with the lower halves where rounding decides: exact, around the tie, all ones.
TEST(Rounding, Fp32ToBf16AroundEveryTie) {
  MpfrOracle mpfr;
  Compared compared("FP32 to BF16, directed");
  const uint32_t low_halves[] = {0x0000, 0x0001, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF};
  for (uint32_t high = 0; high < 0x10000; ++high) {
    for (const uint32_t low : low_halves) {
      const uint32_t bits = high << 16 | low;
      compared.equal(mpfr.convert(bits), uint32_t{bf16_from_float(fp32_from_bits(bits)).bits},
                     [&] { return fmt::format("FP32 {:08X}", bits); });
    }
  }
  compared.done(0x10000 * std::size(low_halves));
}

TEST(Rounding, Fp32ToBf16Random) {
  const uint64_t seed = test_seed();
  Random random(seed);
  ValueClasses values("fp32");
  MpfrOracle mpfr;
  Compared compared("FP32 to BF16, random", seed);
  for (uint64_t i = 0; i < kRandomCases; ++i) {
    const uint32_t bits = values.draw(random);
    compared.equal(mpfr.convert(bits), uint32_t{bf16_from_float(fp32_from_bits(bits)).bits},
                   [&] { return fmt::format("FP32 {:08X}", bits); });
  }
  EXPECT_EQ(values.never_drawn(), "");
  compared.done(kRandomCases);
}

// A binary64 near the places where RN decides: ties of both formats with and without a sticky bit,
// the ends of the range, and anything at all.
double draw_double(Random& random) {
  const uint64_t sign = random.next() & (uint64_t{1} << 63);
  const uint64_t fraction = random.next() >> 12;
  const auto near_range = static_cast<uint64_t>(random.between(1023 - 155, 1023 + 130));
  const auto edge =
      static_cast<uint64_t>(random.chance(0.5) ? random.between(1023 - 128, 1023 - 126)
                                               : random.between(1023 + 126, 1023 + 128));
  const int kept = random.chance(0.5) ? 8 : 24;     // significand bits of the target
  const uint64_t tie = uint64_t{1} << (52 - kept);  // half an ulp of the target
  const uint64_t cut = fraction & ~(2 * tie - 1);   // on the grid of the target
  const uint64_t all_ones = (uint64_t{1} << 52) - 1;
  switch (random.below(8)) {
    case 0:
      return std::bit_cast<double>(random.next());
    case 1:
      return std::bit_cast<double>(sign | near_range << 52 | cut | tie);
    case 2:
      return std::bit_cast<double>(sign | near_range << 52 | cut | (tie + 1));
    case 3:
      return std::bit_cast<double>(sign | near_range << 52 | cut | (tie - 1));
    case 4:
      return std::bit_cast<double>(sign | edge << 52 | (all_ones & ~random.below(4 * tie)));
    case 5:
      return std::bit_cast<double>(sign | edge << 52 | random.below(4));
    case 6:
      return std::bit_cast<double>(sign | near_range << 52 | cut);
    default:
      return std::bit_cast<double>(sign | near_range << 52 | fraction);
  }
}

TEST(Rounding, Binary64Random) {
  const uint64_t seed = test_seed();
  Random random(seed);
  MpfrOracle mpfr;
  Compared to_bf16("binary64 to BF16", seed);
  Compared to_fp32("binary64 to FP32", seed);
  for (uint64_t i = 0; i < kRandomCases / 2; ++i) {
    const double value = draw_double(random);
    const auto describe = [&] { return fmt::format("binary64 {}", value); };
    to_bf16.equal(mpfr.round_double(kBf16, value), uint32_t{bf16_from_double(value).bits},
                  describe);
    to_fp32.equal(mpfr.round_double(kFp32, value), fp32_bits(fp32_from_double(value)), describe);
  }
  to_bf16.done(kRandomCases / 2);
  to_fp32.done(kRandomCases / 2);
}

// Every pair of the special values with every sign, in both operations.
TEST(Rounding, Fp32OperationsOnSpecialPairs) {
  const uint32_t magnitudes[] = {0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x3F800000,
                                 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FFFFFFF};
  MpfrOracle mpfr;
  Compared compared("FP32 add and multiply, special pairs");
  for (const uint32_t a_magnitude : magnitudes) {
    for (const uint32_t b_magnitude : magnitudes) {
      for (uint32_t signs = 0; signs < 4; ++signs) {
        const uint32_t a = a_magnitude | (signs & 1) << 31;
        const uint32_t b = b_magnitude | (signs >> 1) << 31;
        const auto describe = [&] { return fmt::format("{:08X}, {:08X}", a, b); };
        compared.equal(mpfr.add(kFp32, a, b),
                       fp32_bits(fp32_add(fp32_from_bits(a), fp32_from_bits(b))), describe);
        compared.equal(mpfr.multiply(kFp32, a, b),
                       fp32_bits(fp32_mul(fp32_from_bits(a), fp32_from_bits(b))), describe);
      }
    }
  }
  compared.done(2 * 9 * 9 * 4);
}

TEST(Rounding, Fp32OperationsRandom) {
  const uint64_t seed = test_seed();
  Random random(seed);
  ValueClasses values("fp32");
  MpfrOracle mpfr;
  Compared sums("FP32 add", seed);
  Compared products("FP32 multiply", seed);
  for (uint64_t i = 0; i < kRandomCases / 2; ++i) {
    const uint32_t a = values.draw(random);
    uint32_t b = values.draw(random);
    if (random.chance(0.5)) {  // exponents close to each other, often of opposite sign
      const auto field = static_cast<uint32_t>(std::clamp<int64_t>(
          static_cast<int64_t>(kFp32.field(a)) + random.between(-26, 26), 0, 255));
      b = (b & 0x807FFFFF) | field << 23;
    }
    const auto describe = [&] { return fmt::format("{:08X}, {:08X}", a, b); };
    sums.equal(mpfr.add(kFp32, a, b), fp32_bits(fp32_add(fp32_from_bits(a), fp32_from_bits(b))),
               describe);
    products.equal(mpfr.multiply(kFp32, a, b),
                   fp32_bits(fp32_mul(fp32_from_bits(a), fp32_from_bits(b))), describe);
  }
  EXPECT_EQ(values.never_drawn(), "");
  sums.done(kRandomCases / 2);
  products.done(kRandomCases / 2);
}

}  // namespace
}  // namespace rivulet
