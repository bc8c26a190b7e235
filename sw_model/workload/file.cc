// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <system_error>

#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace fs = std::filesystem;

std::vector<uint8_t> read_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw InputError(fmt::format("{}: no such file", path.string()));
  if (!fs::is_regular_file(status)) {
    throw InputError(fmt::format("{}: not a regular file", path.string()));
  }
  const auto size = fs::file_size(path, error);
  std::ifstream stream(path, std::ios::binary);
  if (error || !stream) throw InputError(fmt::format("{}: cannot be opened", path.string()));
  std::vector<uint8_t> bytes(size);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!stream) throw InputError(fmt::format("{}: reading failed", path.string()));
  return bytes;
}

std::string read_text_file(const fs::path& path) {
  const std::vector<uint8_t> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

void write_file(const fs::path& path, std::span<const uint8_t> bytes) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw InputError(fmt::format("{}: is a directory, a file name is needed", path.string()));
  }
  fs::path temporary = path;
  temporary += fmt::format(".part{}", ::getpid());
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  if (!stream) {
    throw InputError(
        fmt::format("{}: cannot be written (does the directory exist?)", path.string()));
  }
  stream.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (stream) fs::rename(temporary, path, error);
  if (!stream || error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw InputError(fmt::format("{}: writing failed{}", path.string(),
                                 error ? " (" + error.message() + ")" : ""));
  }
}

}  // namespace rivulet
