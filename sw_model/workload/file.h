// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Whole files. Reading and writing throw InputError with the path and the reason.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace rivulet {

// All bytes of a regular file.
std::vector<uint8_t> read_file(const std::filesystem::path& path);
std::string read_text_file(const std::filesystem::path& path);

// InputError unless write_file could write `path`: a new name, or a regular file, in a directory
// where files can be made. Devices, pipes and directories are refused.
void check_output_file(const std::filesystem::path& path);

// Replaces `path` (through a symbolic link, the file it points to) in one step: the bytes go to a
// temporary file beside it, which is then renamed. After a failure the old file, if any, is
// untouched and no temporary file is left.
void write_file(const std::filesystem::path& path, std::span<const uint8_t> bytes);

}  // namespace rivulet
