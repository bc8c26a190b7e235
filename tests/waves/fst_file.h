// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Whether a wave file (FST) is complete, and what it holds: its chain of blocks and its header, as
// GTKWave's fstapi writes them.

#pragma once

#include <cstdint>
#include <filesystem>

namespace rivulet {

struct FstFile {
  std::uint64_t start = 0, end = 0;  // times
  std::uint64_t variables = 0;
  std::uint64_t value_blocks = 0;

  // First and last cycle, at ten units of time a cycle (tb/waves.h).
  std::uint64_t first_cycle() const { return start / 10; }
  std::uint64_t last_cycle() const { return end / 10; }
};

// Throws std::runtime_error with the reason if the file is missing, cut short, or was not closed.
FstFile read_fst(const std::filesystem::path& path);

}  // namespace rivulet
