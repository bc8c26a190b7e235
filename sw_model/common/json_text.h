// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The one reader of JSON: a key that occurs twice in an object, at any depth, is refused, and an
// error has its place.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace rivulet {

constexpr int kMostJsonDepth = 32;

// std::invalid_argument("<name>:<line>:<column>: ...") for what is no JSON, for a key that occurs
// twice and for nesting above kMostJsonDepth. `name` stands for the file, `first_line` for the line
// of it that `text` begins with.
nlohmann::json parse_json(std::string_view text, const std::string& name, size_t first_line = 1);

}  // namespace rivulet
