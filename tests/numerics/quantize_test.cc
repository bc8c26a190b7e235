// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §11, against exact rationals and against exact integers (10 million weights).

#include "sw_model/numerics/quantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "sw_model/numerics/fp32.h"
#include "tb/random.h"
#include "tb/value_classes.h"
#include "tests/numerics/compared.h"
#include "tests/numerics/rational_oracle.h"

namespace rivulet {
namespace {

uint32_t draw_finite(ValueClasses& values, Random& random) {
  uint32_t bits = values.draw(random);
  if (oracle::kFp32.field(bits) == 255) bits ^= 0x00800000;  // Inf, NaN -> the largest binade
  return bits;
}

// A group of weights within some binades of each other, with a few anywhere.
std::vector<uint32_t> draw_group(ValueClasses& values, Random& random, size_t size) {
  const auto base = static_cast<uint32_t>(random.between(1, 244));
  const bool narrow = random.chance(0.8);
  std::vector<uint32_t> group(size);
  for (uint32_t& bits : group) {
    bits = draw_finite(values, random);
    if (narrow && !oracle::kFp32.is_zero(bits)) {
      bits = (bits & 0x807FFFFF) | (base + static_cast<uint32_t>(random.below(10))) << 23;
    }
  }
  return group;
}

std::vector<float> as_floats(const std::vector<uint32_t>& patterns) {
  std::vector<float> values;
  values.reserve(patterns.size());
  for (const uint32_t bits : patterns) values.push_back(fp32_from_bits(bits));
  return values;
}

// RNE(weight / scale) in integers: |weight / scale| is below 128.5, so the quotient of the
// significands is formed after an exact shift.
int64_t reference_code(uint32_t weight, uint32_t scale) {
  if (oracle::kFp32.is_zero(weight)) return 0;
  const int shift = static_cast<int>(oracle::kFp32.field(weight)) - 150 -
                    (static_cast<int>(oracle::kBf16.field(scale)) - 134);
  __int128 numerator = (1U << 23) + oracle::kFp32.fraction(weight);
  __int128 denominator = 128 + oracle::kBf16.fraction(scale);
  if (shift < -40) return 0;  // below 2^24 / 2^7 / 2^40
  (shift >= 0 ? numerator : denominator) <<= shift >= 0 ? shift : -shift;
  auto code = static_cast<int64_t>(numerator / denominator);
  const __int128 twice_rest = 2 * (numerator % denominator);
  if (twice_rest > denominator || (twice_rest == denominator && code % 2 != 0)) ++code;
  code = std::min<int64_t>(code, 127);
  return oracle::kFp32.sign(weight) != 0 ? -code : code;
}

TEST(Quantize, RandomGroupsAgainstRationals) {
  const uint64_t seed = test_seed();
  constexpr int kGroups = 8'000;
  Random random(seed);
  ValueClasses values("fp32");
  Compared scales("scales, rationals", seed);
  Compared codes("codes, rationals", seed);
  uint64_t expected = 0;
  for (int i = 0; i < kGroups; ++i) {
    const auto size = static_cast<size_t>(random.between(1, 16));
    const std::vector<uint32_t> group = draw_group(values, random, size);
    std::vector<int8_t> actual(size);
    const Bf16 scale = quantize_group(as_floats(group), actual);
    const oracle::Quantized reference = oracle::quantize(group);
    scales.equal(reference.scale, uint32_t{scale.bits}, [&] { return fmt::format("group {}", i); });
    for (size_t lane = 0; lane < size; ++lane) {
      codes.equal(reference.codes[lane], int64_t{actual[lane]}, [&] {
        return fmt::format("weight {:08X}, scale {:04X}", group[lane], scale.bits);
      });
    }
    expected += size;
  }
  EXPECT_EQ(values.never_drawn(), "");
  scales.done(kGroups);
  codes.done(expected);
}

TEST(Quantize, RandomGroupsAgainstIntegers) {
  const uint64_t seed = test_seed() + 1;
  constexpr uint64_t kGroups = 80'000;
  constexpr size_t kSize = 128;
  Random random(seed);
  ValueClasses values("fp32");
  oracle::MpfrOracle mpfr;
  Compared scales("scales, MPFR", test_seed());
  Compared codes("codes, integers", test_seed());
  uint64_t extremes = 0;
  for (uint64_t i = 0; i < kGroups; ++i) {
    std::vector<uint32_t> group = draw_group(values, random, kSize);
    if (random.chance(0.3)) {  // weights at half steps of the scale, so that ties are frequent
      const auto field = static_cast<uint32_t>(random.between(20, 200));
      for (uint32_t& bits : group) {
        const auto half_steps = static_cast<float>(random.between(-253, 253));
        bits = fp32_bits(half_steps * fp32_from_bits(field << 23));
      }
      group[0] = fp32_bits(254.0F * fp32_from_bits(field << 23));  // the scale is two half steps
    }
    std::vector<int8_t> actual(kSize);
    const Bf16 scale = quantize_group(as_floats(group), actual);
    uint32_t largest = 0;
    for (const uint32_t bits : group) {
      if (!oracle::kFp32.is_zero(bits)) largest = std::max(largest, bits & 0x7FFFFFFF);
    }
    scales.equal(mpfr.divide_to_bf16(largest, 127), uint32_t{scale.bits},
                 [&] { return fmt::format("largest weight {:08X}", largest); });
    for (size_t lane = 0; lane < kSize; ++lane) {
      const int64_t expected = scale.bits == 0 ? 0 : reference_code(group[lane], scale.bits);
      extremes += static_cast<uint64_t>(expected == 127 || expected == -127);
      codes.equal(expected, int64_t{actual[lane]}, [&] {
        return fmt::format("weight {:08X}, scale {:04X}", group[lane], scale.bits);
      });
    }
  }
  EXPECT_EQ(values.never_drawn(), "");
  EXPECT_GT(extremes, kGroups / 2);
  scales.done(kGroups);
  codes.done(kGroups * kSize);
}

TEST(Quantize, ZeroAndTinyGroups) {
  Compared compared("zero groups");
  for (const uint32_t bits :
       {0x00000000U, 0x80000000U, 0x00000001U, 0x807FFFFFU, 0x00800000U, 0x83000000U}) {
    const std::vector<float> group(5, fp32_from_bits(bits));
    std::vector<int8_t> codes(5, 99);
    const Bf16 scale = quantize_group(group, codes);
    const auto describe = [&] { return fmt::format("weights {:08X}", bits); };
    const oracle::Quantized expected = oracle::quantize(std::vector<uint32_t>(5, bits));
    compared.equal(0, int{scale.bits}, describe);
    compared.equal(expected.scale, uint32_t{scale.bits}, describe);
    for (const int8_t code : codes) compared.equal(0, int{code}, describe);
  }
  compared.done(6 * 7);
}

// Rows and groups of a matrix are quantized on their own; the last group may be shorter.
TEST(Quantize, MatrixIsItsGroups) {
  const uint64_t seed = test_seed();
  Random random(seed);
  ValueClasses values("fp32");
  Compared compared("matrix against its groups", seed);
  uint64_t expected = 0;
  for (const size_t lanes : {1, 5, 31, 32, 33, 128, 130}) {
    for (const size_t group : {1, 32, 128}) {
      std::vector<float> weights;
      for (size_t i = 0; i < 3 * lanes; ++i) {
        weights.push_back(fp32_from_bits(draw_finite(values, random)));
      }
      const QuantizedMatrix matrix = quantize_matrix(weights, 3, lanes, group);
      size_t index = 0;
      for (size_t row = 0; row < 3; ++row) {
        for (size_t first = 0; first < lanes; first += group) {
          const size_t size = std::min(group, lanes - first);
          std::vector<int8_t> codes(size);
          const Bf16 scale =
              quantize_group(std::span(weights).subspan(row * lanes + first, size), codes);
          const auto describe = [&] {
            return fmt::format("K {}, G {}, row {}", lanes, group, row);
          };
          compared.equal(scale.bits, matrix.scales.at(index++).bits, describe);
          for (size_t i = 0; i < size; ++i) {
            compared.equal(int{codes[i]}, int{matrix.codes[row * lanes + first + i]}, describe);
          }
        }
      }
      EXPECT_EQ(matrix.scales.size(), 3 * matrix.groups);
      expected += 3 * (lanes + matrix.groups);
    }
  }
  compared.done(expected);
}

TEST(Quantize, RefusesWrongArguments) {
  std::vector<int8_t> codes(2);
  for (const float bad :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_THROW(quantize_group(std::vector<float>{1.0F, bad}, codes), std::invalid_argument);
  }
  EXPECT_THROW(quantize_group(std::vector<float>(3), codes), std::invalid_argument);
  EXPECT_THROW(quantize_matrix(std::vector<float>(6), 2, 2), std::invalid_argument);
  EXPECT_THROW(quantize_matrix(std::vector<float>(6), 2, 3, 0), std::invalid_argument);
}

}  // namespace
}  // namespace rivulet
