// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §12.4: the table against MPFR, the rotation operation by operation.

#include "sw_model/numerics/rope.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
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

using oracle::kFp32;
using oracle::MpfrOracle;
using oracle::Real;

// Within half an FP32 ulp of the exact sine and cosine, plus what the binary64 angle may be off.
TEST(Rope, TableAgainstMpfr) {
  Compared compared("RoPE table");
  constexpr size_t kPositions = 300;
  for (const double theta : {1.0, 1e4, 1e5, 1e6}) {
    for (const size_t head_dim : {2, 6, 64, 128}) {
      const Rope rope(head_dim, theta, kPositions);
      for (size_t pair = 0; pair < head_dim / 2; ++pair) {
        const Real power =
            Real(2.0 * static_cast<double>(pair)) / Real(static_cast<double>(head_dim));
        const Real frequency = exp(-(power * log(Real(theta))));
        for (size_t position = 0; position < kPositions; position += position < 20 ? 1 : 31) {
          const Real angle = Real(static_cast<double>(position)) * frequency;
          const double bound = 0x1p-25 + static_cast<double>(position) * 0x1p-46;
          const auto describe = [&] {
            return fmt::format("theta {}, head_dim {}, pair {}, position {}", theta, head_dim, pair,
                               position);
          };
          const double cosine = rope.cos(position, pair);
          const double sine = rope.sin(position, pair);
          compared.holds(std::fabs((Real(cosine) - cos(angle)).to_double()) <= bound, describe);
          compared.holds(std::fabs((Real(sine) - sin(angle)).to_double()) <= bound, describe);
        }
      }
    }
  }
  compared.done(4 * (1 + 3 + 32 + 64) * (20 + 10) * 2);
}

TEST(Rope, RotationOperationByOperation) {
  constexpr int kVectors = 20'000;
  constexpr size_t kHeadDim = 64;
  const uint64_t seed = test_seed();
  Random random(seed);
  ValueClasses values("bf16");
  MpfrOracle mpfr;
  const Rope rope(kHeadDim, 1e6, 600);
  Compared compared("RoPE rotation", seed);
  const auto negated = [](uint32_t bits) { return bits ^ 0x80000000; };
  for (int i = 0; i < kVectors; ++i) {
    const auto position = static_cast<size_t>(random.between(0, 599));
    std::vector<uint32_t> before(kHeadDim);
    std::vector<Bf16> head(kHeadDim);
    for (size_t j = 0; j < kHeadDim; ++j) {
      before[j] = values.draw(random);
      head[j] = Bf16{static_cast<uint16_t>(before[j])};
    }
    rope.rotate(head, position);
    for (size_t j = 0; j < kHeadDim / 2; ++j) {
      const uint32_t c = fp32_bits(rope.cos(position, j));
      const uint32_t s = fp32_bits(rope.sin(position, j));
      const uint32_t low = before[j] << 16;
      const uint32_t high = before[j + kHeadDim / 2] << 16;
      const auto product = [&](uint32_t a, uint32_t b) { return mpfr.multiply(kFp32, a, b); };
      const auto describe = [&] { return fmt::format("position {}, pair {}", position, j); };
      compared.equal(mpfr.convert(mpfr.add(kFp32, product(low, c), negated(product(high, s)))),
                     uint32_t{head[j].bits}, describe);
      compared.equal(mpfr.convert(mpfr.add(kFp32, product(high, c), product(low, s))),
                     uint32_t{head[j + kHeadDim / 2].bits}, describe);
    }
  }
  EXPECT_EQ(values.never_drawn(), "");
  compared.done(uint64_t{kVectors} * kHeadDim);
}

TEST(Rope, PositionZeroLeavesNormalValues) {
  Compared compared("RoPE at position 0");
  const Rope rope(2, 1e6, 1);
  for (uint32_t bits = 0x0080; bits < 0x7F80; ++bits) {
    std::vector<Bf16> head = {Bf16{static_cast<uint16_t>(bits)},
                              Bf16{static_cast<uint16_t>(bits | 0x8000)}};
    const std::vector<Bf16> before = head;
    rope.rotate(head, 0);
    compared.holds(head == before, [&] { return fmt::format("BF16 {:04X}", bits); });
  }
  compared.done(0x7F80 - 0x0080);
}

TEST(Rope, RefusesWrongArguments) {
  EXPECT_THROW(Rope(0, 1e6, 1), std::invalid_argument);
  EXPECT_THROW(Rope(3, 1e6, 1), std::invalid_argument);
  EXPECT_THROW(Rope(4, 0.5, 1), std::invalid_argument);
  EXPECT_THROW(Rope(4, std::nan(""), 1), std::invalid_argument);
  EXPECT_THROW(Rope(4, 1e6, (size_t{1} << 20) + 1), std::invalid_argument);
  const Rope rope(4, 1e6, 2);
  std::vector<Bf16> four(4);
  std::vector<Bf16> two(2);
  EXPECT_THROW(rope.rotate(two, 0), std::invalid_argument);
  EXPECT_THROW(rope.rotate(four, 2), std::invalid_argument);
}

}  // namespace
}  // namespace rivulet
