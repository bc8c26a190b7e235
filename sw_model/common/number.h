// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The one reader of numbers from command lines and keys: the whole text, decimal, no sign of +, no
// spaces, no other base, nothing empty. "010" is ten.

#include <cstdint>
#include <optional>
#include <string_view>

namespace rivulet {

// Digits only, 0 to 2^64 - 1.
std::optional<uint64_t> parse_unsigned(std::string_view text);
// With a minus sign, too.
std::optional<int64_t> parse_signed(std::string_view text);
// Finite, as 0.5, -2 or 1e-3.
std::optional<double> parse_real(std::string_view text);

}  // namespace rivulet
