// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "sw_model/common/text.h"

namespace rivulet {

namespace {

std::vector<std::string>& arguments_of_process() {
  static std::vector<std::string> arguments;
  return arguments;
}

std::string quoted(const std::string& argument) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:+@%";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) {
    return argument;
  }
  if (printable(argument) != argument || argument.find('\n') != std::string::npos) {
    std::string result = "$'";
    for (const char character : argument) {
      const auto byte = static_cast<unsigned char>(character);
      if (character == '\\' || character == '\'') result += '\\';
      result +=
          byte < ' ' || byte >= 0x7f ? fmt::format("\\{:03o}", byte) : std::string(1, character);
    }
    return result + "'";
  }
  std::string result = "'";
  for (const char character : argument) {
    result += character == '\'' ? "'\\''" : std::string(1, character);
  }
  return result + "'";
}

}  // namespace

void set_command_line(std::span<char* const> arguments) {
  arguments_of_process().assign(arguments.begin(), arguments.end());
}

std::string repeat_command() {
  std::vector<std::string> words;
  for (const std::string& argument : arguments_of_process()) words.push_back(quoted(argument));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string repeat_command(uint64_t seed) {
  for (const std::string& argument : arguments_of_process()) {
    if (argument == "--seed" || argument.starts_with("--seed=")) return repeat_command();
  }
  return fmt::format("{} --seed {}", repeat_command(), seed);
}

}  // namespace rivulet
