// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §5, §7 and §8: whole products against oracles made of exact integers, rationals
// and MPFR, and every BF16 value times every code.

#include "sw_model/numerics/gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw_model/numerics/fp32.h"
#include "tb/random.h"
#include "tb/value_classes.h"
#include "tests/numerics/compared.h"
#include "tests/numerics/mpfr_oracle.h"
#include "tests/numerics/rational_oracle.h"

namespace rivulet {
namespace {

using oracle::MpfrOracle;

std::vector<uint32_t> draw_patterns(ValueClasses& values, Random& random, size_t count) {
  std::vector<uint32_t> patterns(count);
  for (uint32_t& pattern : patterns) pattern = values.draw(random);
  return patterns;
}

std::vector<Bf16> as_bf16(const std::vector<uint32_t>& patterns) {
  std::vector<Bf16> values;
  values.reserve(patterns.size());
  for (const uint32_t pattern : patterns) values.push_back(Bf16{static_cast<uint16_t>(pattern)});
  return values;
}

// Aligned groups of a row-major [rows, k] operand, from the rationals.
std::vector<oracle::Aligned> align_rows(const std::vector<uint32_t>& patterns,
                                        const GemmShape& shape, size_t rows) {
  std::vector<oracle::Aligned> groups;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t first = 0; first < shape.k; first += shape.group) {
      const auto begin = patterns.begin() + static_cast<std::ptrdiff_t>(row * shape.k + first);
      const size_t size = std::min(shape.group, shape.k - first);
      groups.push_back(
          oracle::align({begin, begin + static_cast<std::ptrdiff_t>(size)}, shape.align_w));
    }
  }
  return groups;
}

// Compares one product with the oracle, output by output and count by count.
class GemmCheck {
 public:
  explicit GemmCheck(Compared& compared) : compared_(compared) {}

  // `value(n, k)` is the streamed integer, `exponent(n, g)` its group exponent and `scale(n, g)`
  // its BF16 scale.
  template <typename Value, typename Exponent, typename Scale>
  void run(const GemmShape& shape, const std::vector<oracle::Aligned>& lanes, const Value& value,
           const Exponent& exponent, const Scale& scale, const GemmResult& actual) {
    AccumulateCounts counts;
    for (size_t m = 0; m < shape.m; ++m) {
      for (size_t n = 0; n < shape.n; ++n) {
        uint32_t acc = 0;
        for (size_t g = 0; g < shape.groups(); ++g) {
          const oracle::Aligned& group = lanes[m * shape.groups() + g];
          __int128 partial = 0;
          for (size_t i = 0; i < group.values.size(); ++i) {
            partial += __int128{group.values[i]} * value(n, g * shape.group + i);
          }
          const auto [special, e] = exponent(n, g, group.exponent);
          const MpfrOracle::Step step =
              mpfr_.accumulate(acc, static_cast<int64_t>(partial), scale(n, g), special, e);
          acc = step.acc;
          counts.special += static_cast<uint64_t>(step.special);
          counts.saturated += static_cast<uint64_t>(step.saturated);
        }
        const size_t index = m * shape.n + n;
        const auto describe = [&] {
          return fmt::format("[{}, {}] of M {}, N {}, K {}, G {}, W {}", m, n, shape.m, shape.n,
                             shape.k, shape.group, shape.align_w);
        };
        compared_.equal(acc, fp32_bits(actual.acc.at(index)), describe);
        compared_.equal(mpfr_.convert(acc), uint32_t{actual.y.at(index).bits}, describe);
      }
    }
    EXPECT_EQ(actual.acc.size(), shape.m * shape.n);
    EXPECT_EQ(actual.counts, counts);
    special_ += counts.special;
    saturated_ += counts.saturated;
  }

  uint64_t special() const { return special_; }
  uint64_t saturated() const { return saturated_; }

 private:
  Compared& compared_;
  MpfrOracle mpfr_;
  uint64_t special_ = 0;
  uint64_t saturated_ = 0;
};

// Odd shapes around the group sizes, every width.
std::vector<GemmShape> shapes(Random& random) {
  constexpr size_t kRepeats = 6;
  constexpr size_t kLengths[] = {1,   2,   3,   7,   31,  32,  33,  64,
                                 100, 127, 128, 129, 255, 256, 257, 300};
  std::vector<GemmShape> list;
  for (size_t i = 0; i < kRepeats * std::size(kLengths); ++i) {
    const size_t k = kLengths[i % std::size(kLengths)];
    for (const size_t group : {1, 8, 32, 128}) {
      if (group == 1 && k > 40) continue;
      list.push_back({.m = static_cast<size_t>(random.between(1, 5)),
                      .n = static_cast<size_t>(random.between(1, 7)),
                      .k = k,
                      .group = group,
                      .align_w = static_cast<int>(random.between(9, 16))});
    }
  }
  return list;
}

uint64_t outputs(const std::vector<GemmShape>& list) {
  uint64_t count = 0;
  for (const GemmShape& shape : list) count += 2 * shape.m * shape.n;
  return count;
}

TEST(Gemm, EveryBf16TimesEveryCode) {
  MpfrOracle mpfr;
  Compared accs("BF16 times code, FP32");
  Compared ys("BF16 times code, BF16");
  std::vector<int8_t> codes(256);
  for (int i = 0; i < 256; ++i) codes[static_cast<size_t>(i)] = static_cast<int8_t>(i - 128);
  const std::vector<Bf16> scale(256, Bf16{0x3F80});
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const std::vector<Bf16> x = {Bf16{static_cast<uint16_t>(bits)}};
    const int align_w = 9 + static_cast<int>(bits % 8);  // a lone lane is exact at every width
    const GemmResult result = gemm({.m = 1, .n = 256, .k = 1, .align_w = align_w}, x, codes, scale);
    for (size_t n = 0; n < 256; ++n) {
      const auto describe = [&] { return fmt::format("BF16 {:04X} times {}", bits, codes[n]); };
      accs.equal(mpfr.multiply_integer(oracle::kFp32, bits, codes[n]), fp32_bits(result.acc[n]),
                 describe);
      ys.equal(mpfr.multiply_integer(oracle::kBf16, bits, codes[n]), uint32_t{result.y[n].bits},
               describe);
    }
  }
  accs.done(0x10000 * 256);
  ys.done(0x10000 * 256);
}

TEST(Gemm, RandomShapesAndTiers) {
  const uint64_t seed = test_seed();
  Random random(seed);
  ValueClasses finite("bf16_finite");
  ValueClasses any("bf16");
  Compared compared("gemm outputs", seed);
  GemmCheck check(compared);
  uint64_t expected = 0;
  for (const std::string tier : {"q8", "q4", "q2"}) {
    ValueClasses codes(tier + "_code");
    const std::vector<GemmShape> list = shapes(random);
    expected += outputs(list);
    for (const GemmShape& shape : list) {
      ValueClasses& values = random.chance(0.2) ? any : finite;
      const auto x = draw_patterns(values, random, shape.m * shape.k);
      const auto scale = draw_patterns(values, random, shape.n * shape.groups());
      std::vector<int8_t> streamed(shape.n * shape.k);
      for (int8_t& code : streamed) code = codes.code(random);
      check.run(
          shape, align_rows(x, shape, shape.m),
          [&](size_t n, size_t k) { return int64_t{streamed[n * shape.k + k]}; },
          [&](size_t, size_t, int exponent) {
            return std::pair(exponent == 255, exponent - 127 - shape.align_w + 2);
          },
          [&](size_t n, size_t g) { return scale[n * shape.groups() + g]; },
          gemm(shape, as_bf16(x), streamed, as_bf16(scale)));
    }
    EXPECT_EQ(codes.never_drawn(), "");
  }
  EXPECT_EQ(finite.never_drawn(), "");
  EXPECT_EQ(any.never_drawn(), "");
  EXPECT_GT(check.special(), 0U);
  EXPECT_GT(check.saturated(), 0U);
  compared.done(expected);
}

TEST(Gemm, RandomShapesOfAlignedStreams) {
  const uint64_t seed = test_seed();
  Random random(seed);
  ValueClasses finite("bf16_finite");
  ValueClasses any("bf16");
  Compared compared("gemm-bf16 outputs", seed);
  GemmCheck check(compared);
  const std::vector<GemmShape> list = shapes(random);
  for (const GemmShape& shape : list) {
    ValueClasses& values = random.chance(0.2) ? any : finite;
    const auto x = draw_patterns(values, random, shape.m * shape.k);
    const auto w = draw_patterns(values, random, shape.n * shape.k);
    const auto stream = align_rows(w, shape, shape.n);
    check.run(
        shape, align_rows(x, shape, shape.m),
        [&](size_t n, size_t k) {
          return stream[n * shape.groups() + k / shape.group].values[k % shape.group];
        },
        [&](size_t n, size_t g, int exponent) {
          const int other = stream[n * shape.groups() + g].exponent;
          return std::pair(exponent == 255 || other == 255,
                           exponent + other - 254 - 2 * shape.align_w + 4);
        },
        [](size_t, size_t) { return 0x3F80U; }, gemm_bf16(shape, as_bf16(x), as_bf16(w)));
  }
  EXPECT_EQ(finite.never_drawn(), "");
  EXPECT_EQ(any.never_drawn(), "");
  EXPECT_GT(check.special(), 0U);
  EXPECT_GT(check.saturated(), 0U);
  compared.done(outputs(list));
}

// The largest partials of a group, beyond a group of 128 too.
TEST(Gemm, LargestPartials) {
  Compared compared("largest partials");
  for (const size_t lanes : {1, 128, 255, 256, 257, 512, 1000}) {
    for (const int lane : {32640, -32640}) {
      const std::vector<int16_t> aligned(lanes, static_cast<int16_t>(lane));
      for (const int code : {-128, 127}) {
        const std::vector<int8_t> codes(lanes, static_cast<int8_t>(code));
        compared.equal(static_cast<int64_t>(lanes) * lane * code,
                       group_partial(aligned.data(), codes.data(), lanes),
                       [&] { return fmt::format("{} lanes of {} times {}", lanes, lane, code); });
      }
      for (const int other : {32640, -32640}) {
        const std::vector<int16_t> stream(lanes, static_cast<int16_t>(other));
        compared.equal(static_cast<int64_t>(lanes) * lane * other,
                       group_partial(aligned.data(), stream.data(), lanes),
                       [&] { return fmt::format("{} lanes of {} times {}", lanes, lane, other); });
      }
    }
  }
  compared.done(7 * 2 * 4);
}

TEST(Gemm, RefusesWrongSizes) {
  const std::vector<Bf16> x(6);
  const std::vector<int8_t> codes(6);
  const std::vector<Bf16> scale(2);
  const GemmShape shape{.m = 2, .n = 2, .k = 3};
  EXPECT_NO_THROW(gemm(shape, x, codes, scale));
  EXPECT_THROW(gemm({.m = 3, .n = 2, .k = 3}, x, codes, scale), std::invalid_argument);
  EXPECT_THROW(gemm({.m = 2, .n = 3, .k = 3}, x, codes, scale), std::invalid_argument);
  EXPECT_THROW(gemm({.m = 2, .n = 2, .k = 3, .group = 2}, x, codes, scale), std::invalid_argument);
  EXPECT_THROW(gemm({.m = 2, .n = 2, .k = 3, .group = 0}, x, codes, scale), std::invalid_argument);
  EXPECT_THROW(gemm({.m = 2, .n = 2, .k = 3, .align_w = 8}, x, codes, scale),
               std::invalid_argument);
  EXPECT_THROW(gemm_bf16({.m = 2, .n = 3, .k = 3}, x, x), std::invalid_argument);
}

}  // namespace
}  // namespace rivulet
