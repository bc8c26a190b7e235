// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §12.1 and §12.2, against MPFR.

#include "sw_model/numerics/vector_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "sw_model/numerics/fp32.h"
#include "tb/random.h"
#include "tb/value_classes.h"
#include "tests/numerics/compared.h"
#include "tests/numerics/mpfr_oracle.h"
#include "tests/numerics/real.h"

namespace rivulet {
namespace {

using oracle::kBf16;
using oracle::kFp32;
using oracle::MpfrOracle;
using oracle::Real;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Bf16 bf16(uint32_t bits) { return Bf16{static_cast<uint16_t>(bits)}; }

// The finite value that an operation sees.
double seen(Bf16 value) { return kBf16.is_zero(value.bits) ? 0.0 : double{to_float(value)}; }
double seen(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? 0.0 : double{value}; }

TEST(VectorFunctions, SiluOfEveryBf16IsCorrectlyRounded) {
  MpfrOracle mpfr;
  Compared compared("SiLU, exhaustive");
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    uint32_t expected = 0;
    if (kBf16.is_nan(bits)) {
      expected = oracle::kNan16;
    } else if (kBf16.is_infinite(bits)) {
      expected = bits == 0x7F80 ? 0x7F80 : 0x8000;
    } else if (kBf16.is_zero(bits)) {
      expected = bits & 0x8000;
    } else {
      const Real g(seen(bf16(bits)));
      expected = mpfr.round(kBf16, (g / (Real(1) + exp(-g))).get());
    }
    compared.equal(expected, uint32_t{silu(bf16(bits)).bits},
                   [&] { return fmt::format("BF16 {:04X}", bits); });
  }
  compared.done(0x10000);
}

TEST(VectorFunctions, GateAndResidualRandom) {
  constexpr uint64_t kCases = 5'000'000;
  const uint64_t seed = test_seed();
  Random random(seed);
  ValueClasses values("bf16");
  MpfrOracle mpfr;
  Compared gates("gate", seed);
  Compared sums("residual add", seed);
  for (uint64_t i = 0; i < kCases; ++i) {
    const uint32_t a = values.draw(random);
    const uint32_t b = values.draw(random);
    const auto describe = [&] { return fmt::format("{:04X}, {:04X}", a, b); };
    gates.equal(mpfr.multiply(kBf16, a, b), uint32_t{gate(bf16(a), bf16(b)).bits}, describe);
    sums.equal(mpfr.add(kBf16, a, b), uint32_t{residual_add(bf16(a), bf16(b)).bits}, describe);
  }
  EXPECT_EQ(values.never_drawn(), "");
  gates.done(kCases);
  sums.done(kCases);
}

TEST(VectorFunctions, BiasAndScoreScaleRandom) {
  constexpr uint64_t kCases = 2'000'000;
  const uint64_t seed = test_seed();
  Random random(seed);
  ValueClasses accs("fp32");
  ValueClasses biases("bf16");
  MpfrOracle mpfr;
  Compared sums("bias add", seed);
  Compared scores("score scale", seed);
  for (uint64_t i = 0; i < kCases; ++i) {
    const uint32_t acc = accs.draw(random);
    const uint32_t bias = biases.draw(random);
    sums.equal(mpfr.convert(mpfr.add(kFp32, acc, bias << 16)),
               uint32_t{add_bias(fp32_from_bits(acc), bf16(bias)).bits},
               [&] { return fmt::format("{:08X}, {:04X}", acc, bias); });
    const auto head_dim = static_cast<int>(random.between(1, 256));
    const uint32_t factor = mpfr.round(kFp32, (Real(1) / sqrt(Real(head_dim))).get());
    scores.equal(mpfr.multiply(kFp32, acc, factor),
                 fp32_bits(scale_score(fp32_from_bits(acc), head_dim)),
                 [&] { return fmt::format("{:08X}, head_dim {}", acc, head_dim); });
  }
  EXPECT_EQ(accs.never_drawn(), "");
  EXPECT_EQ(biases.never_drawn(), "");
  sums.done(kCases);
  scores.done(kCases);
}

TEST(VectorFunctions, RmsnormRandom) {
  constexpr int kVectors = 6'000;
  const uint64_t seed = test_seed();
  Random random(seed);
  ValueClasses any("bf16");
  ValueClasses finite("bf16_finite");
  MpfrOracle mpfr;
  Compared compared("RMSNorm", seed);
  uint64_t expected_count = 0;
  uint64_t special_vectors = 0;
  for (int i = 0; i < kVectors; ++i) {
    const auto n = static_cast<size_t>(random.between(1, 130));
    const double eps = random.chance(0.2) ? 0.0 : 1e-6;
    const bool with_specials = random.chance(0.1);
    std::vector<Bf16> x(n);
    std::vector<Bf16> weight(n);
    bool special = false;
    Real squares;
    for (size_t j = 0; j < n; ++j) {
      x[j] = bf16((with_specials ? any : finite).draw(random));
      weight[j] = bf16(finite.draw(random));
      special = special || kBf16.field(x[j].bits) == 255;
      if (!special) squares = squares + Real(seen(x[j])) * Real(seen(x[j]));
    }
    std::vector<Bf16> y(n);
    rmsnorm(x, weight, eps, y);
    const Real mean = squares / Real(static_cast<double>(n)) + Real(eps);
    special = special || mpfr_zero_p(mean.get()) != 0;
    special_vectors += static_cast<uint64_t>(special);
    for (size_t j = 0; j < n; ++j) {
      const auto describe = [&] {
        return fmt::format("element {} of vector {}: got {:04X}", j, i, y[j].bits);
      };
      if (special) {
        compared.holds(y[j] == kBf16CanonicalNan, describe);
      } else if (kBf16.is_zero(x[j].bits) || kBf16.is_zero(weight[j].bits)) {
        compared.holds(y[j].bits == ((x[j].bits ^ weight[j].bits) & 0x8000), describe);
      } else {
        const Real exact = Real(seen(x[j])) / sqrt(mean) * Real(seen(weight[j]));
        compared.holds(exact.rounds_to(mpfr, kBf16, y[j].bits), describe);
      }
    }
    expected_count += n;
  }
  EXPECT_GT(special_vectors, 0U);
  EXPECT_EQ(any.never_drawn(), "");
  EXPECT_EQ(finite.never_drawn(), "");
  compared.done(expected_count);
}

// Scores as an attention row has them: a common level, masked positions, ties, and a few wild ones.
std::vector<float> draw_scores(Random& random, ValueClasses& wild, size_t n) {
  const double level = (2 * random.unit() - 1) * 1000;
  const double span = random.chance(0.5) ? 10 : 200;
  std::vector<float> scores(n);
  for (float& score : scores) {
    score = static_cast<float>(level + (2 * random.unit() - 1) * span);
    if (random.chance(0.05)) score = -kInfinity;
    if (random.chance(0.05)) score = scores[0];
  }
  if (random.chance(0.05)) scores[random.below(n)] = fp32_from_bits(wild.draw(random));
  return scores;
}

TEST(VectorFunctions, SoftmaxAndTopProbabilityRandom) {
  constexpr int kRows = 6'000;
  const uint64_t seed = test_seed();
  Random random(seed);
  ValueClasses wild("fp32");
  MpfrOracle mpfr;
  Compared compared("softmax", seed);
  Compared tops("top probability", seed);
  uint64_t expected_count = 0;
  uint64_t undefined_rows = 0;
  for (int i = 0; i < kRows; ++i) {
    const auto n = static_cast<size_t>(random.between(1, 80));
    const std::vector<float> scores = draw_scores(random, wild, n);
    std::vector<Bf16> p(n);
    softmax(scores, p);
    const TopProbability top = top_probability(scores);
    expected_count += n;

    double largest = -kInfinity;
    bool undefined = false;
    size_t index = 0;
    for (size_t j = 0; j < n; ++j) {
      undefined = undefined || std::isnan(scores[j]) || scores[j] == kInfinity;
      if (seen(scores[j]) > largest) {
        largest = seen(scores[j]);
        index = j;
      }
    }
    undefined = undefined || std::isinf(largest);
    undefined_rows += static_cast<uint64_t>(undefined);
    Real sum;
    std::vector<Real> terms;
    for (size_t j = 0; j < n && !undefined; ++j) {
      terms.push_back(std::isinf(scores[j]) ? Real(0) : exp(Real(seen(scores[j])) - Real(largest)));
      sum = sum + terms.back();
    }
    for (size_t j = 0; j < n; ++j) {
      const auto describe = [&] {
        return fmt::format("score {} of row {}: got {:04X}", j, i, p[j].bits);
      };
      compared.holds(undefined ? p[j] == kBf16CanonicalNan
                               : (terms[j] / sum).rounds_to(mpfr, kBf16, p[j].bits),
                     describe);
    }
    const uint32_t probability = fp32_bits(top.probability);
    tops.holds(
        undefined ? top.index == 0 && probability == oracle::kNan32
                  : top.index == index && (Real(1) / sum).rounds_to(mpfr, kFp32, probability),
        [&] {
          return fmt::format("row {}: index {}, probability {:08X}", i, top.index, probability);
        });
  }
  EXPECT_EQ(wild.never_drawn(), "");
  EXPECT_GT(undefined_rows, 0U);
  compared.done(expected_count);
  tops.done(kRows);
}

TEST(VectorFunctions, SoftmaxCorners) {
  std::vector<Bf16> p(3);
  softmax(std::vector<float>{5, 5, -kInfinity}, p);
  EXPECT_EQ(p, (std::vector<Bf16>{Bf16{0x3F00}, Bf16{0x3F00}, Bf16{0x0000}}));
  softmax(std::vector<float>{-kInfinity, -kInfinity, -kInfinity}, p);
  EXPECT_EQ(p, std::vector<Bf16>(3, kBf16CanonicalNan));
  softmax(std::vector<float>{0, kInfinity, 0}, p);
  EXPECT_EQ(p, std::vector<Bf16>(3, kBf16CanonicalNan));
  softmax(std::vector<float>{0, -1000, -88}, p);  // e^-1000 is nothing, e^-88 rounds below 2^-126
  EXPECT_EQ(p, (std::vector<Bf16>{Bf16{0x3F80}, Bf16{0x0000}, Bf16{0x0000}}));
  EXPECT_EQ(top_probability(std::vector<float>{1, 7, 7}).index, 1U);
  EXPECT_EQ(top_probability(std::vector<float>{-0.0F, 0.0F}).index, 0U);
}

TEST(VectorFunctions, RefusesWrongArguments) {
  std::vector<Bf16> two(2);
  std::vector<Bf16> three(3);
  std::vector<Bf16> none;
  EXPECT_THROW(softmax({}, none), std::invalid_argument);
  EXPECT_THROW(softmax(std::vector<float>(3), two), std::invalid_argument);
  EXPECT_THROW(top_probability({}), std::invalid_argument);
  EXPECT_THROW(rmsnorm(two, three, 1e-6, two), std::invalid_argument);
  EXPECT_THROW(rmsnorm(two, two, 1e-6, three), std::invalid_argument);
  EXPECT_THROW(rmsnorm(none, none, 1e-6, none), std::invalid_argument);
  EXPECT_THROW(rmsnorm(two, two, -1e-6, two), std::invalid_argument);
  EXPECT_THROW(rmsnorm(two, two, std::numeric_limits<double>::quiet_NaN(), two),
               std::invalid_argument);
  EXPECT_THROW(scale_score(1, 0), std::invalid_argument);
}

}  // namespace
}  // namespace rivulet
