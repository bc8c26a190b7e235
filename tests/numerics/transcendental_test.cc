// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §12.3: error bounds against MPFR, and the bits against the text of the page (the
// same steps written a second time).

#include "sw_model/numerics/transcendental.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tb/random.h"
#include "tests/numerics/compared.h"
#include "tests/numerics/real.h"

namespace rivulet {
namespace {

using oracle::Real;

constexpr double kBound = 0x1p-50;

double absolute_error(double actual, const Real& exact) {
  return std::fabs((Real(actual) - exact).to_double());
}
double relative_error(double actual, const Real& exact) {
  if (mpfr_zero_p(exact.get()) != 0) return std::fabs(actual);
  return std::fabs(((Real(actual) - exact) / exact).to_double());
}

// The page, step by step, on constants that MPFR makes.
class Page {
 public:
  Page() {
    Real value;
    Real part;
    mpfr_const_log2(value.get(), MPFR_RNDN);
    ln2_hi_ = truncated(value.get(), 32);
    mpfr_sub_d(part.get(), value.get(), ln2_hi_, MPFR_RNDN);
    ln2_lo_ = mpfr_get_d(part.get(), MPFR_RNDN);
    mpfr_ui_div(part.get(), 1, value.get(), MPFR_RNDN);
    log2e_ = mpfr_get_d(part.get(), MPFR_RNDN);
    mpfr_const_pi(value.get(), MPFR_RNDN);
    mpfr_div_ui(value.get(), value.get(), 2, MPFR_RNDN);
    mpfr_ui_div(part.get(), 1, value.get(), MPFR_RNDN);
    two_over_pi_ = mpfr_get_d(part.get(), MPFR_RNDN);
    for (double& piece : pio2_) {
      piece = &piece == &pio2_[2] ? mpfr_get_d(value.get(), MPFR_RNDN) : truncated(value.get(), 33);
      mpfr_sub_d(value.get(), value.get(), piece, MPFR_RNDN);
    }
    for (unsigned n = 0; n < 20; ++n) {
      mpfr_fac_ui(value.get(), n, MPFR_RNDN);
      mpfr_ui_div(value.get(), 1, value.get(), MPFR_RNDN);
      inverse_factorial_[n] = mpfr_get_d(value.get(), MPFR_RNDN);
    }
  }

  double exp(double x) const {
    if (x > 709) return std::numeric_limits<double>::infinity();
    if (x < -708) return 0;
    const double k = std::floor(x * log2e_ + 0.5);
    const double r = (x - k * ln2_hi_) - k * ln2_lo_;
    double p = inverse_factorial_[13];
    for (int n = 12; n >= 0; --n) p = p * r + inverse_factorial_[n];
    return std::ldexp(p, static_cast<int>(k));
  }

  double log(double x) const {
    int e = 0;
    double m = std::frexp(x, &e);
    if (m < std::sqrt(0.5)) {
      m *= 2;
      --e;
    }
    const double s = (m - 1) / (m + 1);
    const double z = s * s;
    double p = 1.0 / 23;
    for (int n = 21; n > 0; n -= 2) p = p * z + 1.0 / n;
    return e * ln2_hi_ + ((2 * s) * p + e * ln2_lo_);
  }

  SinCos sin_cos(double a) const {
    const double n = std::floor(a * two_over_pi_ + 0.5);
    const double r = ((a - n * pio2_[0]) - n * pio2_[1]) - n * pio2_[2];
    const double z = r * r;
    double p = 0;
    double q = 0;
    for (int i = 8; i >= 1; --i) p = p * z + std::pow(-1, i) * inverse_factorial_[2 * i + 1];
    for (int i = 9; i >= 1; --i) q = q * z + std::pow(-1, i) * inverse_factorial_[2 * i];
    const double s = r + r * (z * p);
    const double c = 1 + z * q;
    const double quadrant = n - 4 * std::floor(n / 4);
    if (quadrant == 0) return {s, c};
    if (quadrant == 1) return {c, -s};
    if (quadrant == 2) return {-s, -c};
    return {-c, s};
  }

 private:
  static double truncated(mpfr_srcptr value, int bits) {
    mpfr_t part;
    mpfr_init2(part, bits);
    mpfr_set(part, value, MPFR_RNDZ);
    const double result = mpfr_get_d(part, MPFR_RNDN);
    mpfr_clear(part);
    return result;
  }

  double log2e_, ln2_hi_, ln2_lo_, two_over_pi_;
  double pio2_[3];
  double inverse_factorial_[20];
};

uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }

TEST(Transcendental, Exp) {
  constexpr uint64_t kBits = 10'000'000;
  constexpr uint64_t kErrors = 400'000;
  const uint64_t seed = test_seed();
  Random random(seed);
  const Page page;
  Compared steps("exp, bits of the page", seed);
  Compared errors("exp, relative error", seed);
  double worst = 0;
  for (uint64_t i = 0; i < kBits; ++i) {
    const double span = i % 4 == 0 ? 720 : (i % 4 == 1 ? 88 : 1);
    const double x = (2 * random.unit() - 1) * span;
    const double actual = exp_f64(x);
    const auto describe = [&] { return fmt::format("x = {}", x); };
    steps.equal(bits(page.exp(x)), bits(actual), describe);
    if (i % (kBits / kErrors) != 0) continue;
    if (x > 709 || x < -708) {
      errors.holds(x > 0 ? std::isinf(actual) : actual == 0, describe);
      continue;
    }
    const double error = relative_error(actual, exp(Real(x)));
    worst = std::max(worst, error);
    errors.holds(error < kBound, describe);
  }
  fmt::print("  largest relative error 2^{:.2f}\n", std::log2(worst));
  EXPECT_EQ(exp_f64(0), 1.0);
  EXPECT_EQ(exp_f64(709.5), std::numeric_limits<double>::infinity());
  EXPECT_EQ(exp_f64(std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(bits(exp_f64(-std::numeric_limits<double>::infinity())), 0U);
  EXPECT_TRUE(std::isnan(exp_f64(std::numeric_limits<double>::quiet_NaN())));
  steps.done(kBits);
  errors.done(kErrors);
}

TEST(Transcendental, Log) {
  constexpr uint64_t kBits = 4'000'000;
  constexpr uint64_t kErrors = 200'000;
  const uint64_t seed = test_seed();
  Random random(seed);
  const Page page;
  Compared steps("log, bits of the page", seed);
  Compared errors("log, relative error", seed);
  double worst = 0;
  for (uint64_t i = 0; i < kBits; ++i) {
    const auto field =
        static_cast<uint64_t>(i % 2 == 0 ? random.between(1, 2046) : random.between(1021, 1024));
    const double x = std::bit_cast<double>(field << 52 | random.next() >> 12);
    const double actual = log_f64(x);
    const auto describe = [&] { return fmt::format("x = {}", x); };
    steps.equal(bits(page.log(x)), bits(actual), describe);
    if (i % (kBits / kErrors) != 0) continue;
    const double error = relative_error(actual, log(Real(x)));
    worst = std::max(worst, error);
    errors.holds(error < kBound, describe);
  }
  fmt::print("  largest relative error 2^{:.2f}\n", std::log2(worst));
  EXPECT_EQ(log_f64(1), 0.0);
  for (const double bad : {0.0, -1.0, 0x1p-1074, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(log_f64(bad), std::invalid_argument);
  }
  steps.done(kBits);
  errors.done(kErrors);
}

TEST(Transcendental, SinCos) {
  constexpr uint64_t kBits = 4'000'000;
  constexpr uint64_t kErrors = 200'000;
  const uint64_t seed = test_seed();
  Random random(seed);
  const Page page;
  Compared steps("sin and cos, bits of the page", seed);
  Compared errors("sin and cos, absolute error", seed);
  double worst = 0;
  for (uint64_t i = 0; i < kBits; ++i) {
    const double span = i % 4 == 0 ? 0x1p20 : (i % 4 == 1 ? 512 : 4);
    double a = (2 * random.unit() - 1) * span;
    if (i % 8 == 7) a = std::floor(a);  // whole radians, as at the first RoPE pair
    const SinCos actual = sin_cos_f64(a);
    const SinCos expected = page.sin_cos(a);
    const auto describe = [&] { return fmt::format("angle {}", a); };
    steps.equal(bits(expected.sin), bits(actual.sin), describe);
    steps.equal(bits(expected.cos), bits(actual.cos), describe);
    if (i % (kBits / kErrors) != 0) continue;
    for (const double error :
         {absolute_error(actual.sin, sin(Real(a))), absolute_error(actual.cos, cos(Real(a)))}) {
      worst = std::max(worst, error);
      errors.holds(error < kBound, describe);
    }
  }
  fmt::print("  largest absolute error 2^{:.2f}\n", std::log2(worst));
  EXPECT_EQ(bits(sin_cos_f64(0).sin), 0U);
  EXPECT_EQ(sin_cos_f64(0).cos, 1.0);
  for (const double bad :
       {0x1.0000000000001p20, -0x1.0000000000001p20, std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(sin_cos_f64(bad), std::invalid_argument);
  }
  steps.done(2 * kBits);
  errors.done(2 * kErrors);
}

}  // namespace
}  // namespace rivulet
