// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fstream>
#include <string>
#include <system_error>

#include "sw_model/common/output_file.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace fs = std::filesystem;

namespace {

std::string reason_of(int error) { return std::generic_category().message(error); }

// The file behind symbolic links, which need not exist.
fs::path target_of(const fs::path& path) {
  try {
    return behind_links(path);
  } catch (const std::runtime_error& error) {
    throw InputError(error.what());
  }
}

// InputError with the true reason unless there is something at `path`.
fs::file_status status_of(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw InputError(fmt::format("{}: no such file", path.string()));
  }
  if (error) throw InputError(fmt::format("{}: {}", path.string(), error.message()));
  return status;
}

}  // namespace

std::vector<uint8_t> read_file(const fs::path& path, uint64_t most) {
  if (!fs::is_regular_file(status_of(path))) {
    throw InputError(fmt::format("{}: not a regular file", path.string()));
  }
  std::error_code error;
  const auto size = std::min<uint64_t>(fs::file_size(path, error), most);
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

std::vector<fs::path> files_of(const fs::path& folder) {
  if (!fs::is_directory(status_of(folder))) {
    throw InputError(fmt::format("{}: not a folder", folder.string()));
  }
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    files.push_back(entry->path());
  }
  if (error) throw InputError(fmt::format("{}: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
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
  if (error && status.type() != fs::file_type::not_found) {
    throw InputError(fmt::format("{}: {}", path.string(), error.message()));
  }
  const fs::path target = target_of(path);
  if (target.filename().string().size() > NAME_MAX) {
    throw InputError(fmt::format("{}: {}", path.string(), reason_of(ENAMETOOLONG)));
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) {
    throw InputError(
        fmt::format("{}: {}", folder.string(),
                    error && error.value() != ENOENT ? error.message() : "no such directory"));
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw InputError(
        fmt::format("{}: no file can be made in it ({})", folder.string(), reason_of(errno)));
  }
}

void write_file(const fs::path& path, std::span<const uint8_t> bytes) {
  check_output_file(path);
  write_output_file(path, bytes);
}

}  // namespace rivulet
