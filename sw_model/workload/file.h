// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Whole files. Reading, and an output that cannot be written by its name, throw InputError with the
// path and the reason; writing that fails later (full disk, limit) throws std::runtime_error.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace rivulet {

// All bytes of a regular file, or its first `most`.
std::vector<uint8_t> read_file(const std::filesystem::path& path,
                               uint64_t most = std::numeric_limits<uint64_t>::max());
// What lies in a folder, sorted.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder);
std::string read_text_file(const std::filesystem::path& path);

// InputError unless write_file could write `path`: a new name, or a regular file, in a directory
// where files can be made. Devices, pipes and directories are refused.
void check_output_file(const std::filesystem::path& path);

// check_output_file(), then write_output_file() of sw_model/common/output_file.h.
void write_file(const std::filesystem::path& path, std::span<const uint8_t> bytes);

}  // namespace rivulet
