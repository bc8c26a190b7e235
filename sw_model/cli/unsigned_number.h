// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A check for options that take a whole number: CLI11 itself turns -1 and numbers that are too
// large into others.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

namespace rivulet {

// Digits only, `least` to 2^64 - 1.
inline CLI::Validator unsigned_number(uint64_t least = 0) {
  const auto check = [least](const std::string& text) -> std::string {
    uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stopped == end && value >= least) return "";
    return fmt::format("'{}' is not a whole number from {} to {}", text, least,
                       std::numeric_limits<uint64_t>::max());
  };
  return {check, "", "unsigned number"};
}

}  // namespace rivulet
