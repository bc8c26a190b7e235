// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/common/number.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace rivulet {

namespace {

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<uint64_t> parse_unsigned(std::string_view text) { return parse<uint64_t>(text); }

std::optional<int64_t> parse_signed(std::string_view text) { return parse<int64_t>(text); }

std::optional<double> parse_real(std::string_view text) {
  const std::optional<double> value = parse<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace rivulet
