// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §14.1 and §14.2 against a binary64 reference, heads 64 and 128.

#include "sw_model/kv/kv_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "sw_model/kv/kv_basis.h"
#include "tb/random.h"
#include "tests/numerics/compared.h"

namespace rivulet {
namespace {

double real(Bf16 value) { return static_cast<double>(to_float(value)); }

// Entries with two strong directions and noise.
std::vector<Bf16> draw_entries(Random& random, size_t n, size_t d) {
  std::vector<Bf16> x;
  for (size_t i = 0; i < n; ++i) {
    const double a = 6 * random.unit() + 4, b = 4 * random.unit() - 2;
    for (size_t j = 0; j < d; ++j) {
      const double angle = static_cast<double>(j);
      x.push_back(
          bf16_from_double(a * std::cos(angle) + b * std::sin(2 * angle) + random.unit() - 0.5));
    }
  }
  return x;
}

class KvCodec : public testing::TestWithParam<size_t> {};

// Eigenvectors without Eigen: power iteration on the Gram matrix, the first taken out of the
// second.
TEST_P(KvCodec, BasisIsThatOfPowerIteration) {
  const size_t d = GetParam(), n = 128;
  Random random(test_seed());
  const std::vector<Bf16> x = draw_entries(random, n, d);
  const KvBasis basis = kv_basis(x, d);
  std::vector<double> first;
  Compared compared("kv basis", test_seed());
  for (size_t column = 0; column < 2; ++column) {
    std::vector<double> v(d);
    for (double& element : v) element = random.unit();
    double length = 0;
    for (int turn = 0; turn < 500; ++turn) {
      std::vector<double> next(d, 0);
      if (column == 1) {
        double along = 0;
        for (size_t j = 0; j < d; ++j) along += v[j] * first[j];
        for (size_t j = 0; j < d; ++j) v[j] -= along * first[j];
      }
      for (size_t i = 0; i < n; ++i) {
        double dot = 0;
        for (size_t j = 0; j < d; ++j) dot += real(x[i * d + j]) * v[j];
        for (size_t j = 0; j < d; ++j) next[j] += real(x[i * d + j]) * dot;
      }
      length = 0;
      for (const double element : next) length += element * element;
      length = std::sqrt(length);
      for (size_t j = 0; j < d; ++j) v[j] = next[j] / length;
    }
    size_t largest = 0;
    for (size_t j = 1; j < d; ++j) largest = std::abs(v[j]) > std::abs(v[largest]) ? j : largest;
    if (v[largest] < 0) {
      for (double& element : v) element = -element;
    }
    if (column == 0) first = v;
    for (size_t j = 0; j < d; ++j) {
      const double got = real(basis.u[2 * j + column]);
      compared.holds(std::abs(got - v[j]) <= std::abs(v[j]) / 256 + 1e-9,
                     [&] { return fmt::format("u[{},{}] {} for {}", j, column, got, v[j]); });
    }
    const auto eigenvalue = static_cast<double>(basis.eigenvalues[column]);
    compared.holds(std::abs(eigenvalue / length - 1) < 1e-6,
                   [&] { return fmt::format("eigenvalue {} for {}", eigenvalue, length); });
  }
  compared.done(2 * (d + 1));
}

// Every tier, within the roundings that the binary64 reference leaves out.
TEST_P(KvCodec, EntriesAreThoseOfTheReference) {
  const size_t d = GetParam(), n = 256;
  Random random(test_seed() + 1);
  const std::vector<Bf16> x = draw_entries(random, n, d);
  const KvBasis basis = kv_basis(std::span<const Bf16>(x).first(128 * d), d);
  const KvViews views{.a2 = bf16_from_float(50)};
  Compared compared("kv entries", test_seed() + 1);
  for (size_t i = 0; i < n; ++i) {
    const auto entry = std::span<const Bf16>(x).subspan(i * d, d);
    std::vector<int8_t> codes(d);
    const KvSide side = kv_encode(entry, basis.u, codes);
    double most = 0;
    std::vector<double> bases(d);
    for (size_t column = 0; column < 2; ++column) {
      double c = 0, size = 0;
      for (size_t j = 0; j < d; ++j) {
        c += real(entry[j]) * real(basis.u[2 * j + column]);
        size += std::abs(real(entry[j]) * real(basis.u[2 * j + column]));
      }
      compared.holds(std::abs(real(side.c[column]) - c) <= std::abs(c) / 256 + size * 1e-5,
                     [&] { return fmt::format("c {} for {}", real(side.c[column]), c); });
    }
    for (size_t j = 0; j < d; ++j) {
      bases[j] =
          real(side.c[0]) * real(basis.u[2 * j]) + real(side.c[1]) * real(basis.u[2 * j + 1]);
      most = std::max(most, std::abs(real(entry[j]) - bases[j]));
    }
    const double sigma = real(side.sigma);
    compared.holds(std::abs(sigma * 127 / most - 1) <= 1.01 / 256,
                   [&] { return fmt::format("sigma {} for {}", sigma, most / 127); });
    for (const Tier tier : {Tier::kQ8, Tier::kQ4, Tier::kQ2, Tier::kQ0}) {
      std::vector<Bf16> got(d);
      kv_decode(codes, side, basis.u, tier, views, got);
      for (size_t j = 0; j < d; ++j) {
        const double z = codes[j];
        double residual = 0;
        if (tier == Tier::kQ8) residual = sigma * z;
        if (tier == Tier::kQ4) residual = sigma * 16 * (std::floor(z / 16) + 0.5);
        if (tier == Tier::kQ2) residual = sigma * 50 * (z >= 28 ? 1 : z <= -28 ? -1 : 0);
        const double value = bases[j] + residual;
        const double slack = std::abs(value) / 256 + std::abs(residual) / 256 + 1e-5;
        compared.holds(std::abs(real(got[j]) - value) <= slack, [&] {
          return fmt::format("tier {} lane {}: {} for {}", static_cast<int>(tier), j, real(got[j]),
                             value);
        });
        if (tier != Tier::kQ8) continue;
        // The q8 entry is the entry, within half a step; one step at the clip.
        const double error = std::abs(value - real(entry[j]));
        compared.holds(error <= sigma * 0.5001 + (std::abs(z) == 127 ? sigma / 2 : 0),
                       [&] { return fmt::format("error {} of sigma {}", error, sigma); });
      }
    }
  }
  compared.done(n * (3 + 5 * d));
}

INSTANTIATE_TEST_SUITE_P(Heads, KvCodec, testing::Values(64, 128));

TEST(KvCodecBits, TheExampleOfTheDocument) {
  const std::vector<Bf16> u{{0x3F80}, {0}, {0}, {0x3F80}, {0}, {0}, {0}, {0}};
  const std::vector<Bf16> x{{0x4040}, {0xC000}, {0x3F80}, {0xBF00}};  // 3, -2, 1, -0.5
  std::vector<int8_t> codes(4);
  const KvSide side = kv_encode(x, u, codes);
  Compared compared("kv example");
  const auto none = [] { return std::string("the example"); };
  compared.equal(uint16_t{0x4040}, side.c[0].bits, none);
  compared.equal(uint16_t{0xC000}, side.c[1].bits, none);
  compared.equal(uint16_t{0x3C01}, side.sigma.bits, none);
  const std::vector<int> expected{0, 0, 127, -64};
  for (size_t i = 0; i < 4; ++i) compared.equal(expected[i], static_cast<int>(codes[i]), none);
  std::vector<Bf16> got(4);
  kv_decode(codes, side, u, Tier::kQ0, {}, got);
  for (size_t i = 0; i < 4; ++i) {
    compared.equal(i < 2 ? x[i].bits : uint16_t{0}, got[i].bits, none);
  }
  compared.done(11);
}

TEST(KvCodecBits, RefusesWhatIsNotFinite) {
  std::vector<Bf16> x(64, Bf16{0x3F80});
  const std::vector<Bf16> u(128, Bf16{0x3E00});
  std::vector<int8_t> codes(64);
  x[5] = kBf16CanonicalNan;
  EXPECT_THROW(kv_encode(x, u, codes), std::invalid_argument);
  EXPECT_THROW(kv_basis(x, 64), std::invalid_argument);
  EXPECT_THROW(kv_basis(x, 63), std::invalid_argument);
}

}  // namespace
}  // namespace rivulet
