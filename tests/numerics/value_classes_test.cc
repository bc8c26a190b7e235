// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The generator of random values itself: every class is hit and looks as its name says, and a data
// file that does not fit is refused.

#include "tb/value_classes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "tests/numerics/compared.h"
#include "tests/numerics/mpfr_oracle.h"

namespace rivulet {
namespace {

// A data file with one domain, removed again.
class DataFile {
 public:
  explicit DataFile(const std::string& text)
      : name_(testing::TempDir() + "value_classes_test.json") {
    std::ofstream(name_) << text;
  }
  ~DataFile() { std::remove(name_.c_str()); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

std::map<std::string, std::function<bool(uint32_t)>> float_classes(const oracle::Format& f) {
  const uint32_t last = (1U << f.fraction_bits) - 1;
  return {
      {"normal", [=](uint32_t b) { return f.field(b) >= 1 && f.field(b) <= 254; }},
      {"near_one", [=](uint32_t b) { return f.field(b) >= 119 && f.field(b) <= 135; }},
      {"power_of_two", [=](uint32_t b) { return f.field(b) % 255 != 0 && f.fraction(b) == 0; }},
      {"one", [=](uint32_t b) { return f.field(b) == 127 && f.fraction(b) == 0; }},
      {"plus_zero", [=](uint32_t b) { return b == 0; }},
      {"minus_zero", [=](uint32_t b) { return b == 1U << (f.fraction_bits + 8); }},
      {"subnormal", [=](uint32_t b) { return f.field(b) == 0 && f.fraction(b) != 0; }},
      {"min_normal", [=](uint32_t b) { return f.field(b) == 1 && f.fraction(b) < 4; }},
      {"max_finite", [=](uint32_t b) { return f.field(b) == 254 && f.fraction(b) + 4 >= last; }},
      {"infinity", [=](uint32_t b) { return f.is_infinite(b); }},
      {"nan", [=](uint32_t b) { return f.is_nan(b); }},
  };
}

TEST(ValueClasses, EachFloatClassIsWhatItSays) {
  Compared compared("values of one class");
  for (const auto& [domain, format] :
       {std::pair("bf16", oracle::kBf16), std::pair("fp32", oracle::kFp32)}) {
    for (const auto& [name, belongs] : float_classes(format)) {
      const DataFile file(fmt::format(R"({{"{}": {{"{}": 1}}}})", domain, name));
      ValueClasses values(domain, file.name());
      Random random(test_seed());
      for (int i = 0; i < 1000; ++i) {
        const uint32_t bits = values.draw(random);
        compared.holds(belongs(bits),
                       [&, n = name] { return fmt::format("{:X} is not {}", bits, n); });
      }
      EXPECT_EQ(values.counts(), name + " 1000");
    }
  }
  compared.done(2 * 11 * 1000);
}

TEST(ValueClasses, WeightsAreKept) {
  const DataFile file(R"({"q8_code": {"zero": 1, "most_negative": 3}})");
  ValueClasses values("q8_code", file.name());
  Random random(test_seed());
  int minimum = 0;
  for (int i = 0; i < 40'000; ++i) minimum += static_cast<int>(values.code(random) == -128);
  EXPECT_NEAR(minimum, 30'000, 600);
}

TEST(ValueClasses, TellsWhatWasNeverDrawn) {
  ValueClasses values("q2_code");
  Random random(test_seed());
  EXPECT_EQ(values.never_drawn(), "minus_one one zero");
  while (!values.never_drawn().empty()) values.draw(random);
}

TEST(ValueClasses, RefusesWrongData) {
  EXPECT_THROW(ValueClasses("bf16", "no_such_file.json"), std::runtime_error);
  EXPECT_THROW(ValueClasses("no_such_domain"), std::runtime_error);
  for (const char* text :
       {R"({"bf16": {"no_such_class": 1}})", R"({"bf16": {"nan": 0}})", R"({"bf16": {"nan": -1}})",
        R"({"bf16": {}})", R"({"fp32": {"nan": 1}})"}) {
    const DataFile file(text);
    EXPECT_THROW(ValueClasses("bf16", file.name()), std::runtime_error) << text;
  }
  EXPECT_THROW(WeightedChoice("q2_code", {"zero", "one"}),
               std::runtime_error);  // one class is lost
}

}  // namespace
}  // namespace rivulet
