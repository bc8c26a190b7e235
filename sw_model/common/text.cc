// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/common/text.h"

#include <fmt/format.h>

namespace rivulet {

namespace {

unsigned char byte_at(std::string_view text, size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// Bytes of the UTF-8 character at `at`, 0 if there is none: overlong codes, surrogates and codes
// above U+10FFFF are none.
size_t character_bytes(std::string_view text, size_t at) {
  const unsigned char first = byte_at(text, at);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  size_t bytes = 2;
  if (first >= 0xe0) bytes = 3;
  if (first >= 0xf0) bytes = 4;
  if (text.size() - at < bytes) return 0;
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte_at(text, at + i) & 0xc0U) != 0x80) return 0;
  }
  const unsigned char second = byte_at(text, at + 1);
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return wrong ? 0 : bytes;
}

// C0, DEL and C1.
bool is_control(std::string_view text, size_t at) {
  const unsigned char first = byte_at(text, at);
  return first < ' ' || first == 0x7f || (first == 0xc2 && byte_at(text, at + 1) < 0xa0);
}

std::string escaped(std::string_view text, bool controls) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = character_bytes(text, at);
    const bool keep = bytes != 0 && (!controls || text[at] == '\n' || !is_control(text, at));
    const size_t taken = bytes == 0 ? 1 : bytes;
    for (size_t i = at; i < at + taken; ++i) {
      result += keep ? std::string(1, text[i]) : fmt::format("\\x{:02x}", byte_at(text, i));
    }
    at += taken;
  }
  return result;
}

}  // namespace

std::string valid_utf8(std::string_view text) { return escaped(text, false); }

std::string printable(std::string_view text) { return escaped(text, true); }

std::string shortened(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  const size_t begin = most - most / 3;
  const size_t end = most / 3;
  return fmt::format("{} ... ({} bytes left out) ... {}", text.substr(0, begin), text.size() - most,
                     text.substr(text.size() - end));
}

}  // namespace rivulet
