// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Messages on a stream that may be full, closed or a broken pipe: printing them never throws, so
// the exit code says what happened in the run, not to its messages.

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace rivulet {

// What does not arrive stays in std::ferror(stream).
template <typename... Values>
void print_to(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  std::fwrite(text.data(), 1, text.size(), stream);
}

template <typename... Values>
void print_error(fmt::format_string<Values...> format, Values&&... values) {
  print_to(stderr, format, std::forward<Values>(values)...);
}

// Whether all that was printed to standard output has arrived, on a full disk too.
inline bool output_arrived() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace rivulet
