// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Counts what a test compared. A test ends with done(expected): it prints the count, hands it to
// the report and fails unless it is the number expected. The first mismatches are printed in full.

#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "tb/options.h"
#include "tb/report.h"

namespace rivulet {

class Compared {
 public:
  // `what` names the compared values; `seed` is that of the inputs (0 when there is no chance).
  explicit Compared(std::string what, uint64_t seed = 0) : what_(std::move(what)), seed_(seed) {}

  // Compares one value; `describe` is called on a mismatch and returns the inputs as text.
  template <typename Value, typename Describe>
  void equal(const Value& expected, const Value& actual, const Describe& describe) {
    ++count_;
    if (expected == actual) return;
    if (++mismatches_ <= kPrinted) {
      ADD_FAILURE() << fmt::format("{}: expected {:#x}, got {:#x} for {}\nrepeat: {}", what_,
                                   expected, actual, describe(), repeat());
    }
  }
  // The same for a condition.
  template <typename Describe>
  void holds(bool condition, const Describe& describe) {
    ++count_;
    if (condition || ++mismatches_ > kPrinted) return;
    ADD_FAILURE() << fmt::format("{}: {}\nrepeat: {}", what_, describe(), repeat());
  }

  void done(uint64_t expected) {
    report().add_compared(what_, count_);
    fmt::print("{}: compared {} values, expected {}, {} mismatches, seed {}\n", what_, count_,
               expected, mismatches_, seed_);
    EXPECT_EQ(count_, expected) << what_
                                << ": wrong number of values compared\nrepeat: " << repeat();
    EXPECT_EQ(mismatches_, 0U) << what_ << ": mismatches\nrepeat: " << repeat();
  }

 private:
  static constexpr uint64_t kPrinted = 5;

  std::string repeat() const { return options().repeat_command(report().current_test(), seed_); }

  std::string what_;
  uint64_t seed_;
  uint64_t count_ = 0;
  uint64_t mismatches_ = 0;
};

// The seed of the command line, else 0.
inline uint64_t test_seed() { return options().seed.value_or(0); }

}  // namespace rivulet
