// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/variant.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include "sw_model/common/message.h"
#include "tb/build_command.h"

namespace rivulet {
namespace {

namespace fs = std::filesystem;

fs::path this_program() { return fs::read_symlink("/proc/self/exe"); }

// The build tree that this program belongs to.
std::optional<fs::path> build_tree() {
  std::error_code error;
  const fs::path folder = this_program().parent_path();
  std::ifstream pointer(folder / ".build_tree");
  if (std::string relative; std::getline(pointer, relative)) {
    const fs::path tree = fs::weakly_canonical(folder / relative, error);
    if (fs::exists(tree / "CMakeCache.txt", error)) return tree;
  }
  for (fs::path tree = folder; tree.has_relative_path(); tree = tree.parent_path()) {
    if (fs::exists(tree / "CMakeCache.txt", error)) return tree;
  }
  return std::nullopt;
}

fs::path beside(const std::string& name) { return this_program().parent_path() / name; }
fs::path installed(const std::string& name) {
  return (this_program().parent_path() / "../libexec/rivulet" / name).lexically_normal();
}

// The variant, if it is there and as new as this program.
bool up_to_date(const fs::path& variant) {
  std::error_code error;
  const auto built = fs::last_write_time(variant, error);
  return !error && built >= fs::last_write_time(this_program(), error);
}

// The lock of a build tree, shared with `make` and held until the end of the object.
class BuildLock {
 public:
  explicit BuildLock(const fs::path& tree)
      : file_(::open((tree / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0) {
      throw VariantError(
          fmt::format("{}: cannot be written ({})", tree.string(), std::strerror(errno)));
    }
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
    print_error("another build runs in {}; waiting for it ...\n", tree.string());
    while (::flock(file_, LOCK_EX) != 0) {
      if (errno != EINTR) throw VariantError(tree.string() + ": cannot be locked");
    }
  }
  ~BuildLock() { ::close(file_); }
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

 private:
  int file_;
};

void build(const fs::path& tree, const fs::path& variant, const std::string& what) {
  std::error_code error;
  const BuildLock lock(tree);
  if (up_to_date(variant)) return;  // by the process that held the lock
  const std::string name = variant.filename().string();
  print_error(
      "{} {}: {} ...\n",
      fs::exists(variant, error) ? "bringing up to date" : "building (once, may take minutes)",
      what, name);
  if (!run_build(tree, name)) {
    throw VariantError(fmt::format("{} cannot be built; again: cmake --build {} --target {}", what,
                                   tree.string(), name));
  }
  // Nothing to do is as good as built now.
  fs::last_write_time(variant, fs::file_time_type::clock::now(), error);
}

// Replaces this process, with the arguments as they were given.
[[noreturn]] void execute(const fs::path& variant) {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string arguments{std::istreambuf_iterator<char>(file), {}};
  std::vector<char*> argv;
  for (size_t at = 0; at < arguments.size(); at += std::strlen(&arguments[at]) + 1) {
    argv.push_back(&arguments[at]);
  }
  argv.push_back(nullptr);
  std::fflush(nullptr);
  ::execv(variant.c_str(), argv.data());
  throw VariantError(
      fmt::format("{}: cannot be started ({})", variant.string(), std::strerror(errno)));
}

}  // namespace

bool has_variant(const std::string& name) {
  std::error_code error;
  return fs::exists(beside(name), error) || fs::exists(installed(name), error);
}

bool can_build_variants() { return build_tree().has_value(); }

void run_variant(const std::string& name, const std::string& what, const std::string& remedy) {
  if (this_program().filename() == name) throw std::logic_error(name + " lacks its own models");
  std::error_code error;
  if (const auto tree = build_tree()) {
    if (!up_to_date(beside(name))) build(*tree, beside(name), what);
    execute(beside(name));
  }
  for (const fs::path& variant : std::array{beside(name), installed(name)}) {
    if (fs::exists(variant, error)) execute(variant);
  }
  throw VariantError(fmt::format("this installation does not have {} ({}); {}", what,
                                 installed(name).string(), remedy));
}

}  // namespace rivulet
