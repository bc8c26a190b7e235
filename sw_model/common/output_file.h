// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A file that is there as a whole or not at all: its bytes go to a temporary file beside it, which
// is synchronized, closed and renamed.
//
// A symbolic link, a dangling one too, is written through; a file that is replaced keeps its mode;
// a device or a pipe is written in place.
// What fails throws std::runtime_error with the path and the reason; then an old file is untouched
// and no temporary file is left.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace rivulet {

// The file that `path` names once all symbolic links are followed; it need not exist.
// std::runtime_error if the links form a loop.
std::filesystem::path behind_links(const std::filesystem::path& path);

void write_output_file(const std::filesystem::path& path, std::span<const uint8_t> bytes);
void write_output_file(const std::filesystem::path& path, std::string_view text);

}  // namespace rivulet
