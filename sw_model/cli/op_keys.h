// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The KEY=VALUE settings of one operation.
//
// Malformed and unknown keys, keys given twice, and values that are no number, out of range or not
// one of the choices throw InputError that names the key and what is allowed.

#include <map>
#include <string>
#include <vector>

namespace rivulet {

struct KeySpec {
  std::string name;
  std::string default_value;  // may be empty: see `meaning`
  std::string meaning;
};

class OpKeys {
 public:
  OpKeys(const std::vector<KeySpec>& specs, const std::vector<std::string>& settings);

  const std::string& text(const std::string& name) const;
  int integer(const std::string& name, int low, int high) const;
  double real(const std::string& name, double low, double high) const;
  // The index of the value among `choices`.
  size_t choice(const std::string& name, const std::vector<std::string>& choices) const;

  const std::map<std::string, std::string>& values() const { return values_; }

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace rivulet
