// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// A program run as a user runs it, in a folder of its own.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace rivulet {

// A new empty folder, removed with the object.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  // Names of the files in it, sorted.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

class Child {
 public:
  // Starts `words[0]` with the rest as arguments and `folder` as its working directory.
  Child(const std::vector<std::string>& words, const std::filesystem::path& folder);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(int signal) const;
  // Until its end; returns the exit code, or minus the signal that ended it.
  int wait();
  // What it has printed, both streams.
  std::string output() const;

 private:
  pid_t process_ = 0;
  int status_ = 0;
  std::filesystem::path log_;
};

struct ChildResult {
  int exit_code;
  std::string output;
};
ChildResult run_child(const std::vector<std::string>& words, const std::filesystem::path& folder);

}  // namespace rivulet
