// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/numerics/transcendental.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace rivulet {
namespace {

// The constants of docs/numerics.md §12.3.
constexpr double kLog2E = 0x1.71547652b82fep+0;
constexpr double kLn2Hi = 0x1.62e42feep-1;
constexpr double kLn2Lo = 0x1.a39ef35793c76p-33;
constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kPiOver2Part1 = 0x1.921fb544p+0;
constexpr double kPiOver2Part2 = 0x1.0b4611a6p-34;
constexpr double kPiOver2Part3 = 0x1.3198a2e037073p-69;

// 1 / n!, n = 0..19. Factorials up to 19! are below 2^57 with many factors of two and exact in
// binary64, so that the one division rounds to nearest.
constexpr std::array<double, 20> make_inverse_factorials() {
  std::array<double, 20> table{};
  double factorial = 1;
  for (int n = 0; n < 20; ++n) {
    if (n > 0) factorial *= n;
    table[static_cast<size_t>(n)] = 1.0 / factorial;
  }
  return table;
}
constexpr std::array<double, 20> kInverseFactorial = make_inverse_factorials();

// value * 2^exponent for results that stay normal.
double scale_by_power(double value, int exponent) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(value) +
                               (static_cast<uint64_t>(static_cast<int64_t>(exponent)) << 52));
}

}  // namespace

double exp_f64(double x) {
  if (std::isnan(x)) return x;
  if (x > 709) return std::numeric_limits<double>::infinity();
  if (x < -708) return 0;
  const double k = std::floor(x * kLog2E + 0.5);
  const double r = (x - k * kLn2Hi) - k * kLn2Lo;
  double p = kInverseFactorial[13];
  for (size_t n = 13; n-- > 0;) p = p * r + kInverseFactorial[n];
  return scale_by_power(p, static_cast<int>(k));
}

double log_f64(double x) {
  if (!(std::isnormal(x) && x > 0)) {
    throw std::invalid_argument(
        fmt::format("log: argument is {}, must be positive, finite and normal", x));
  }
  const auto bits = std::bit_cast<uint64_t>(x);
  int e = static_cast<int>(bits >> 52) - 1022;
  double m = scale_by_power(x, -e);  // 0.5 <= m < 1
  if (m < kSqrtHalf) {
    m = 2 * m;
    e = e - 1;
  }
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double p = 1.0 / 23;
  for (int n = 21; n >= 1; n -= 2) p = p * z + 1.0 / n;
  return e * kLn2Hi + ((2 * s) * p + e * kLn2Lo);
}

SinCos sin_cos_f64(double angle) {
  constexpr double kMaxAngle = 0x1p20;
  if (!(std::fabs(angle) <= kMaxAngle)) {
    throw std::invalid_argument(
        fmt::format("sin_cos: angle is {} rad, must be within +-2^20", angle));
  }
  const double n = std::floor(angle * kTwoOverPi + 0.5);
  const double r = ((angle - n * kPiOver2Part1) - n * kPiOver2Part2) - n * kPiOver2Part3;
  const double z = r * r;
  double p = kInverseFactorial[17];
  double q = -kInverseFactorial[18];
  for (size_t i = 8; i-- > 1;) {
    p = p * z + (i % 2 == 0 ? kInverseFactorial[2 * i + 1] : -kInverseFactorial[2 * i + 1]);
  }
  for (size_t i = 9; i-- > 1;) {
    q = q * z + (i % 2 == 0 ? kInverseFactorial[2 * i] : -kInverseFactorial[2 * i]);
  }
  const double s = r + r * (z * p);
  const double c = 1 + z * q;
  switch (static_cast<int64_t>(n) & 3) {
    case 0:
      return {.sin = s, .cos = c};
    case 1:
      return {.sin = c, .cos = -s};
    case 2:
      return {.sin = -s, .cos = -c};
    default:
      return {.sin = -c, .cos = s};
  }
}

}  // namespace rivulet
