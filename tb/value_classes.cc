// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/value_classes.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

namespace rivulet {
namespace {

using Draws = std::map<std::string, std::uint32_t (*)(Random&)>;

std::uint32_t bits(Random& random, unsigned width) {
  return static_cast<std::uint32_t>(random.next() >> (64 - width));
}
std::uint32_t range(Random& random, std::uint32_t low, std::uint32_t high) {
  return low + static_cast<std::uint32_t>(random.below(high - low + 1));
}
std::uint32_t coin(Random& random) { return bits(random, 1); }

// A float with 8 exponent and `F` fraction bits: BF16 for 7, FP32 for 23.
template <unsigned F>
std::uint32_t make(std::uint32_t sign, std::uint32_t field, std::uint32_t fraction) {
  return sign << (8 + F) | field << F | fraction;
}

template <unsigned F>
Draws float_draws() {
  constexpr std::uint32_t kFractions = std::uint32_t{1} << F;
  return {
      {"normal", [](Random& r) { return make<F>(coin(r), range(r, 1, 254), bits(r, F)); }},
      {"near_one", [](Random& r) { return make<F>(coin(r), range(r, 119, 135), bits(r, F)); }},
      {"power_of_two", [](Random& r) { return make<F>(coin(r), range(r, 1, 254), 0); }},
      {"one", [](Random& r) { return make<F>(coin(r), 127, 0); }},
      {"plus_zero", [](Random&) { return std::uint32_t{0}; }},
      {"minus_zero", [](Random&) { return make<F>(1, 0, 0); }},
      {"subnormal", [](Random& r) { return make<F>(coin(r), 0, range(r, 1, kFractions - 1)); }},
      {"min_normal", [](Random& r) { return make<F>(coin(r), 1, range(r, 0, 3)); }},
      {"max_finite",
       [](Random& r) { return make<F>(coin(r), 254, range(r, kFractions - 4, kFractions - 1)); }},
      {"infinity", [](Random& r) { return make<F>(coin(r), 255, 0); }},
      {"nan", [](Random& r) { return make<F>(coin(r), 255, range(r, 1, kFractions - 1)); }},
  };
}

// An FP32 normal whose lower half is `low`, that is, at a given place between two BF16 values.
std::uint32_t with_low_half(Random& r, std::uint32_t low) {
  return (make<23>(coin(r), range(r, 1, 254), bits(r, 23)) & 0xFFFF0000U) | low;
}

Draws fp32_draws() {
  Draws draws = float_draws<23>();
  draws["bf16_tie"] = [](Random& r) { return with_low_half(r, 0x8000); };
  draws["bf16_above_tie"] = [](Random& r) { return with_low_half(r, range(r, 0x8001, 0x8003)); };
  draws["bf16_below_tie"] = [](Random& r) { return with_low_half(r, range(r, 0x7FFD, 0x7FFF)); };
  return draws;
}

// Two's complement codes from `Low` to `High`.
template <int Low, int High>
Draws code_draws() {
  return {
      {"uniform", [](Random& r) { return static_cast<std::uint32_t>(r.between(Low, High)); }},
      {"most_negative", [](Random&) { return static_cast<std::uint32_t>(Low); }},
      {"most_positive", [](Random&) { return static_cast<std::uint32_t>(High); }},
      {"zero", [](Random&) { return std::uint32_t{0}; }},
      {"one", [](Random&) { return std::uint32_t{1}; }},
      {"minus_one", [](Random&) { return static_cast<std::uint32_t>(-1); }},
  };
}

const Draws& draws_of(const std::string& domain) {
  static const std::map<std::string, Draws> domains = {
      {"bf16", float_draws<7>()},       {"bf16_finite", float_draws<7>()},
      {"fp32", fp32_draws()},           {"q8_code", code_draws<-128, 127>()},
      {"q4_code", code_draws<-8, 7>()}, {"q2_code", code_draws<-1, 1>()},
  };
  const auto found = domains.find(domain);
  if (found == domains.end()) {
    throw std::runtime_error(fmt::format("value domain '{}' is not known", domain));
  }
  return found->second;
}

}  // namespace

ValueClasses::ValueClasses(const std::string& domain, const std::string& file)
    : choice_(domain, WeightedChoice::names_of(domain, file), file) {
  const Draws& draws = draws_of(domain);
  for (const std::string& name : WeightedChoice::names_of(domain, file)) {
    const auto draw = draws.find(name);
    if (draw == draws.end()) {
      throw std::runtime_error(fmt::format("{}: {}.{} is not a known class", file, domain, name));
    }
    draws_.push_back(draw->second);
  }
}

}  // namespace rivulet
