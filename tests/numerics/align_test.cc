// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §4, against binary64 (exact here) and exact rationals.

#include "sw_model/numerics/align.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tb/random.h"
#include "tb/value_classes.h"
#include "tests/numerics/compared.h"
#include "tests/numerics/rational_oracle.h"

namespace rivulet {
namespace {

// RNE(x * 2^(align_w - 2 - E)): the product is exact in binary64 and std::nearbyint ties to even.
int reference(uint32_t bits, int exponent, int align_w) {
  const uint32_t field = bits >> 7 & 0xFF;
  if (field == 0) return 0;
  const double significand = 128.0 + (bits & 0x7F);
  const double magnitude = std::nearbyint(
      std::ldexp(significand, static_cast<int>(field) - 134 + align_w - 2 - (exponent - 127)));
  return static_cast<int>((bits >> 15) != 0 ? -magnitude : magnitude);
}

// Every BF16 lane with every group exponent that it can meet, for every width.
TEST(Align, EveryLaneExponentAndWidth) {
  Compared values("aligned integers, exhaustive");
  Compared bounds("bounds of aligned integers");
  uint64_t pairs = 0;
  for (int align_w = kMinAlignWidth; align_w <= kMaxAlignWidth; ++align_w) {
    const int bound = (1 << (align_w - 1)) - (1 << (align_w - 9));
    int largest = 0;
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      const Bf16 lane{static_cast<uint16_t>(bits)};
      const auto field = static_cast<int>(bits >> 7 & 0xFF);
      for (int exponent = field; exponent < 256; ++exponent) {
        ++pairs;
        const int actual = align_lane(lane, static_cast<uint8_t>(exponent), align_w);
        largest = std::max(largest, std::abs(actual));
        values.equal(reference(bits, exponent, align_w), actual, [&] {
          return fmt::format("BF16 {:04X}, group exponent {}, W {}", bits, exponent, align_w);
        });
      }
    }
    bounds.equal(bound, largest, [&] { return fmt::format("W {}", align_w); });
  }
  // 256 patterns (sign, fraction) of each field f meet 256 - f exponents, for 8 widths.
  EXPECT_EQ(pairs, uint64_t{8} * 256 * (256 * 257 / 2));
  values.done(uint64_t{8} * 256 * (256 * 257 / 2));
  bounds.done(8);
}

TEST(Align, RandomGroupsAgainstRationals) {
  const uint64_t seed = test_seed();
  constexpr int kGroups = 20'000;
  Random random(seed);
  ValueClasses any("bf16");
  ValueClasses finite("bf16_finite");
  Compared exponents("group exponents", seed);
  Compared values("aligned integers, random groups", seed);
  uint64_t lanes_total = 0;
  for (int i = 0; i < kGroups; ++i) {
    const auto align_w = static_cast<int>(random.between(kMinAlignWidth, kMaxAlignWidth));
    const auto size = static_cast<size_t>(random.between(1, 16));
    // A window of exponents, so that ties and partly shifted lanes are frequent.
    const bool narrow = random.chance(0.5);
    const auto base = static_cast<uint32_t>(random.between(1, 236));
    std::vector<uint32_t> patterns;
    std::vector<Bf16> lanes;
    for (size_t lane = 0; lane < size; ++lane) {
      uint32_t bits = random.chance(0.1) ? any.draw(random) : finite.draw(random);
      if (narrow && oracle::kBf16.field(bits) != 0) {
        bits = (bits & 0x807F) | (base + static_cast<uint32_t>(random.below(18))) << 7;
      }
      patterns.push_back(bits);
      lanes.push_back(Bf16{static_cast<uint16_t>(bits)});
    }
    std::vector<int16_t> aligned(size);
    const uint8_t exponent = align_group(lanes, align_w, aligned);
    const oracle::Aligned expected = oracle::align(patterns, align_w);
    exponents.equal(expected.exponent, int{exponent}, [&] { return fmt::format("group {}", i); });
    for (size_t lane = 0; lane < size; ++lane) {
      values.equal(expected.values[lane], int64_t{aligned[lane]}, [&] {
        return fmt::format("BF16 {:04X}, group exponent {}, W {}", patterns[lane], exponent,
                           align_w);
      });
    }
    lanes_total += size;
  }
  EXPECT_EQ(any.never_drawn(), "");
  EXPECT_EQ(finite.never_drawn(), "");
  exponents.done(kGroups);
  values.done(lanes_total);
}

// Zeros and subnormals contribute nothing, whatever else is in the group.
TEST(Align, ZeroLanesStayZero) {
  const uint16_t zeros[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x007F, 0x807F};
  Compared compared("zero lanes");
  for (const uint16_t zero : zeros) {
    for (const uint16_t other : {0x3F80, 0x0080, 0x7F7F, 0x0000}) {
      for (int align_w = kMinAlignWidth; align_w <= kMaxAlignWidth; ++align_w) {
        const std::vector<Bf16> lanes = {Bf16{zero}, Bf16{other}};
        std::vector<int16_t> aligned(2);
        const uint8_t exponent = align_group(lanes, align_w, aligned);
        const auto describe = [&] { return fmt::format("{:04X} beside {:04X}", zero, other); };
        compared.equal(0, int{aligned[0]}, describe);
        compared.equal(other >> 7, int{exponent}, describe);
      }
    }
  }
  compared.done(6 * 4 * 8 * 2);
}

// Rows and groups of a matrix are aligned on their own; the last group may be shorter.
TEST(Align, MatrixIsItsGroups) {
  const uint64_t seed = test_seed();
  Random random(seed);
  ValueClasses values("bf16");
  Compared compared("matrix against its groups", seed);
  uint64_t expected_count = 0;
  for (const size_t lanes : {1, 2, 7, 31, 32, 33, 127, 128, 129, 300}) {
    for (const size_t group : {1, 5, 32, 128}) {
      const size_t rows = 3;
      std::vector<Bf16> x(rows * lanes);
      for (Bf16& value : x) value = Bf16{static_cast<uint16_t>(values.draw(random))};
      const AlignedMatrix matrix = align_matrix(x, rows, lanes, group, 12);
      for (size_t row = 0; row < rows; ++row) {
        for (size_t first = 0, g = 0; first < lanes; first += group, ++g) {
          const size_t size = std::min(group, lanes - first);
          std::vector<int16_t> aligned(size);
          const uint8_t exponent =
              align_group(std::span(x).subspan(row * lanes + first, size), 12, aligned);
          const auto describe = [&] {
            return fmt::format("K {}, G {}, row {}", lanes, group, row);
          };
          compared.equal(int{exponent}, int{matrix.exponent(row, g)}, describe);
          for (size_t i = 0; i < size; ++i) {
            compared.equal(int{aligned[i]}, int{matrix.group_values(row, g)[i]}, describe);
          }
        }
      }
      expected_count += rows * (lanes + (lanes + group - 1) / group);
    }
  }
  EXPECT_EQ(values.never_drawn(), "");
  compared.done(expected_count);
}

TEST(Align, RefusesWrongArguments) {
  const std::vector<Bf16> lanes(4);
  std::vector<int16_t> aligned(4);
  EXPECT_THROW(align_group(lanes, 8, aligned), std::invalid_argument);
  EXPECT_THROW(align_group(lanes, 17, aligned), std::invalid_argument);
  aligned.resize(3);
  EXPECT_THROW(align_group(lanes, 16, aligned), std::invalid_argument);
  EXPECT_THROW(align_matrix(lanes, 1, 4, 0, 16), std::invalid_argument);
  EXPECT_THROW(align_matrix(lanes, 2, 4, 128, 16), std::invalid_argument);
}

}  // namespace
}  // namespace rivulet
