// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/common/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace rivulet {

namespace fs = std::filesystem;

namespace {

constexpr int kMostLinks = 40;  // as Linux
constexpr mode_t kAllModes = 07777;
constexpr mode_t kNewMode = 0666;

std::string reason_of(int error) { return std::generic_category().message(error); }

mode_t mask_of_process() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category()); }

void write_all(int descriptor, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

// A device or a pipe cannot be replaced.
void write_in_place(const fs::path& target, std::span<const uint8_t> bytes) {
  const int descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail();
  try {
    write_all(descriptor, bytes);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  if (::close(descriptor) != 0) fail();
}

// A temporary file of a short name of its own, so that every legal name can be written.
class Temporary {
 public:
  explicit Temporary(const fs::path& folder)
      : name_((folder / ".rivulet.XXXXXX").string()),
        descriptor_(::mkostemp(name_.data(), O_CLOEXEC)) {
    if (descriptor_ < 0) fail();
  }
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(name_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  void write(std::span<const uint8_t> bytes) const { write_all(descriptor_, bytes); }
  void set_mode(mode_t mode) const {
    if (::fchmod(descriptor_, mode) != 0) fail();
  }
  void rename_to(const fs::path& target) {
    // A file system may tell only now that it is full.
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail();
    if (::close(std::exchange(descriptor_, -1)) != 0) fail();
    if (::rename(name_.c_str(), target.c_str()) != 0) fail();
    renamed_ = true;
  }

 private:
  std::string name_;
  int descriptor_;
  bool renamed_ = false;
};

}  // namespace

fs::path behind_links(const fs::path& path) {
  fs::path target = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    if (links == kMostLinks) {
      throw std::runtime_error(fmt::format("{}: {}", path.string(), reason_of(ELOOP)));
    }
    const fs::path next = fs::read_symlink(target, error);
    if (error) throw std::runtime_error(fmt::format("{}: {}", path.string(), error.message()));
    target = target.parent_path() / next;  // an absolute one replaces the whole
  }
  return target;
}

void write_output_file(const fs::path& path, std::span<const uint8_t> bytes) {
  const fs::path target = behind_links(path);
  try {
    struct stat old = {};
    const bool replaced = ::stat(target.c_str(), &old) == 0;
    if (replaced && !S_ISREG(old.st_mode)) return write_in_place(target, bytes);
    Temporary temporary(target.has_parent_path() ? target.parent_path() : fs::path("."));
    temporary.write(bytes);
    temporary.set_mode(replaced ? old.st_mode & kAllModes : kNewMode & ~mask_of_process());
    temporary.rename_to(target);
  } catch (const std::system_error& error) {
    throw std::runtime_error(
        fmt::format("{}: writing failed ({})", path.string(), error.code().message()));
  }
}

void write_output_file(const fs::path& path, std::string_view text) {
  write_output_file(path, std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

}  // namespace rivulet
