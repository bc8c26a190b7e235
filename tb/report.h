// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// What a test program did: cycles, comparisons, verdict. One per process; filled by each Bench,
// printed after each test and written by --json.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rivulet {

class Report {
 public:
  struct Test {
    std::string name;
    bool passed = false;
    bool skipped = false;
    std::uint64_t simulations = 0;
    std::uint64_t cycles = 0;
    std::map<std::string, std::uint64_t> compared;  // channel to number of values

    std::uint64_t total_compared() const;
  };

  void begin_test(const std::string& name);
  void end_test(bool passed, bool skipped);
  // Outside a test these count for a nameless one.
  void add_simulation(std::uint64_t cycles);
  void add_compared(const std::string& channel, std::uint64_t values);
  void set_timed_out() { timed_out_ = true; }
  // The present test has failed, though it may go on.
  void set_failed() { current_failed_ = true; }

  const std::vector<Test>& tests() const { return tests_; }
  const std::string& current_test() const { return current_.name; }
  bool current_failed() const { return current_failed_; }
  bool timed_out() const { return timed_out_; }

  // Writes the summary as JSON; throws std::runtime_error if the file cannot be written.
  void write_json(const std::string& file, int exit_code) const;

 private:
  std::vector<Test> tests_;
  Test current_;
  bool current_failed_ = false;
  bool timed_out_ = false;
};

Report& report();

}  // namespace rivulet
