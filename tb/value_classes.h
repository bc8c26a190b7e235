// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Random values drawn from weighted classes (zeros, subnormals, ties, extremes, NaN, ...), counted.
//
//   ValueClasses values("bf16");                  weights: tests/data/value_classes.json
//   const uint32_t pattern = values.draw(random);  a bit pattern, in the low bits
//   EXPECT_EQ(values.never_drawn(), "");           a class that was never hit fails the test
//
// Domains: bf16, bf16_finite (16 bits), fp32 (32 bits), q8_code, q4_code, q2_code (two's
// complement, use code()). An unknown domain or class throws std::runtime_error.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/random.h"
#include "tb/weighted_choice.h"

namespace rivulet {

class ValueClasses {
 public:
  explicit ValueClasses(const std::string& domain, const std::string& file = WeightedChoice::kFile);

  std::uint32_t draw(Random& random) { return draws_[choice_.pick(random)](random); }
  std::int8_t code(Random& random) { return static_cast<std::int8_t>(draw(random)); }

  std::string never_drawn() const { return choice_.never_picked(); }
  std::string counts() const { return choice_.counts(); }

 private:
  using Draw = std::uint32_t (*)(Random&);

  WeightedChoice choice_;
  std::vector<Draw> draws_;  // in the order of the classes
};

}  // namespace rivulet
