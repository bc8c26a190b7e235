// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// A random choice between named classes with weights from a data file, counted.
//
// The program names the classes it can make; tests/data/value_classes.json gives their weights. A
// class of the file that the program does not know, or the reverse, is an error: a class cannot get
// lost. A missing file, domain or weight throws std::runtime_error.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/random.h"

namespace rivulet {

class WeightedChoice {
 public:
  // Programs run in the project's root directory, see tb/cmake/rivulet_test.cmake.
  static constexpr const char* kFile = "tests/data/value_classes.json";

  // The classes `names` with the weights of `domain`.
  WeightedChoice(const std::string& domain, std::vector<std::string> names,
                 const std::string& file = kFile);

  // The names of the classes of `domain` in the file.
  static std::vector<std::string> names_of(const std::string& domain,
                                           const std::string& file = kFile);

  // Index into `names`.
  std::size_t pick(Random& random);

  // Names of the classes that were never picked, separated by blanks; empty is good.
  std::string never_picked() const;
  // "name count, name count, ..." for the log.
  std::string counts() const;

 private:
  struct Class {
    std::string name;
    std::uint64_t weight;
    std::uint64_t count = 0;
  };
  std::vector<Class> classes_;
  std::uint64_t total_weight_ = 0;
};

}  // namespace rivulet
