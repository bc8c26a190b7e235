// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Text of unknown origin (names, prompts, bytes of files) made fit for a terminal and for JSON.

#include <cstddef>
#include <string>
#include <string_view>

namespace rivulet {

// Bytes that are no UTF-8 become \xNN; all else stays.
std::string valid_utf8(std::string_view text);

// As valid_utf8(), and control characters, which a terminal would obey, become \xNN; a line feed
// stays.
std::string printable(std::string_view text);

// At most `most` bytes and a note of what was left out: the beginning and the end of a longer text.
std::string shortened(std::string_view text, size_t most);

}  // namespace rivulet
