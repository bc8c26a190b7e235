// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/wave_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

#include "tb/options.h"
#include "tb/report.h"

namespace rivulet {

WaveFile next_wave_file(std::uint64_t seed) {
  static std::uint64_t count = 0;
  static std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> count_of_test;
  WaveFile file;
  file.simulation = ++count_of_test[{report().current_test(), seed}];
  ++count;
  const std::string given = options().trace.value_or("");
  std::filesystem::path path =
      given.empty() ? std::filesystem::path(options().program).filename().concat(".fst")
                    : std::filesystem::path(given);
  if (count > 1) {
    const std::string extension = path.extension().string();
    path.replace_extension();
    path += fmt::format("-{}{}", count, extension);
  }
  file.name = path.string();
  return file;
}

}  // namespace rivulet
