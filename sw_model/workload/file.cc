// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace fs = std::filesystem;

namespace {

std::string reason_of(int error) { return std::generic_category().message(error); }

// The file behind symbolic links, or the path itself.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  return fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
}

}  // namespace

std::vector<uint8_t> read_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw InputError(fmt::format("{}: no such file", path.string()));
  if (!fs::is_regular_file(status)) {
    throw InputError(fmt::format("{}: not a regular file", path.string()));
  }
  const auto size = fs::file_size(path, error);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (error || !stream) {
    throw InputError(fmt::format("{}: cannot be opened ({})", path.string(), reason_of(errno)));
  }
  std::vector<uint8_t> bytes(size);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!stream) throw InputError(fmt::format("{}: reading failed", path.string()));
  return bytes;
}

std::string read_text_file(const fs::path& path) {
  const std::vector<uint8_t> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

void check_output_file(const fs::path& path) {
  if (path.empty()) throw InputError("the name of an output file is empty");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) {
    throw InputError(fmt::format("{}: is a directory, a file name is needed", path.string()));
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw InputError(
        fmt::format("{}: is a device or a pipe, a file name is needed", path.string()));
  }
  const fs::path target = resolved(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) {
    throw InputError(fmt::format("{}: no such directory", folder.string()));
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw InputError(
        fmt::format("{}: no file can be made in it ({})", folder.string(), reason_of(errno)));
  }
}

void write_file(const fs::path& path, std::span<const uint8_t> bytes) {
  check_output_file(path);
  const fs::path target = resolved(path);
  fs::path temporary = target;
  temporary += fmt::format(".part{}", ::getpid());
  std::error_code error;
  errno = 0;
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  stream.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (stream) {
    fs::rename(temporary, target, error);
  } else {
    error = std::error_code(errno, std::generic_category());
  }
  if (!stream || error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw InputError(fmt::format("{}: writing failed ({})", path.string(), error.message()));
  }
}

}  // namespace rivulet
