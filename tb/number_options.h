// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Options that take a number, for CLI11: CLI11 itself turns -1 and numbers that are too large into
// others, reads 010 as eight and an empty text as zero. To be given to transform(), so that what is
// checked is what is used.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "sw_model/common/number.h"

namespace rivulet {

// Decimal digits only, `least` to `most`.
inline CLI::Validator unsigned_number(uint64_t least = 0,
                                      uint64_t most = std::numeric_limits<uint64_t>::max()) {
  const auto check = [least, most](std::string& text) -> std::string {
    const std::optional<uint64_t> value = parse_unsigned(text);
    if (!value || *value < least || *value > most) {
      return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
    }
    text = fmt::format("{}", *value);
    return "";
  };
  return {check, "", "unsigned number"};
}

// A decimal number, `least` to `most`.
inline CLI::Validator real_number(double least, double most) {
  const auto check = [least, most](std::string& text) -> std::string {
    const std::optional<double> value = parse_real(text);
    if (!value || !(*value >= least && *value <= most)) {
      return fmt::format("'{}' is not a number from {} to {}", text, least, most);
    }
    text = fmt::format("{}", *value);
    return "";
  };
  return {check, "", "number"};
}

}  // namespace rivulet
