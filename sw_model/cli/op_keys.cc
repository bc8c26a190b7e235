// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/op_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "sw_model/common/number.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

template <typename Number, typename Range>
Number in_range(const std::string& name, const std::string& text,
                const std::optional<Number>& value, Range low, Range high) {
  if (!value || !(*value >= low && *value <= high)) {
    throw InputError(
        fmt::format("key '{}': '{}' is not a number from {} to {}", name, text, low, high));
  }
  return *value;
}

}  // namespace

OpKeys::OpKeys(const std::vector<KeySpec>& specs, const std::vector<std::string>& settings) {
  std::vector<std::string> names;
  for (const KeySpec& spec : specs) {
    values_[spec.name] = spec.default_value;
    names.push_back(spec.name);
  }
  std::set<std::string> given;
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    if (equals == std::string::npos || name.empty()) {
      throw InputError(fmt::format("'{}' is not KEY=VALUE", setting));
    }
    if (values_.find(name) == values_.end()) {
      throw InputError(fmt::format("unknown key '{}' (known: {})", name, fmt::join(names, ", ")));
    }
    if (!given.insert(name).second) throw InputError(fmt::format("key '{}' is given twice", name));
    values_[name] = setting.substr(equals + 1);
  }
}

const std::string& OpKeys::text(const std::string& name) const { return values_.at(name); }

int OpKeys::integer(const std::string& name, int low, int high) const {
  return static_cast<int>(in_range(name, text(name), parse_signed(text(name)), low, high));
}

double OpKeys::real(const std::string& name, double low, double high) const {
  return in_range(name, text(name), parse_real(text(name)), low, high);
}

size_t OpKeys::choice(const std::string& name, const std::vector<std::string>& choices) const {
  const auto found = std::find(choices.begin(), choices.end(), text(name));
  if (found == choices.end()) {
    throw InputError(
        fmt::format("key '{}': '{}' is not one of {}", name, text(name), fmt::join(choices, ", ")));
  }
  return static_cast<size_t>(found - choices.begin());
}

}  // namespace rivulet
