// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/build_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <deque>
#include <fstream>
#include <string_view>
#include <thread>
#include <vector>

#include "sw_model/common/message.h"

extern char** environ;

namespace rivulet {
namespace {

std::string cmake_of(const std::filesystem::path& tree) {
  constexpr std::string_view kEntry = "CMAKE_COMMAND:INTERNAL=";
  std::ifstream cache(tree / "CMakeCache.txt");
  for (std::string line; std::getline(cache, line);) {
    if (line.starts_with(kEntry)) return line.substr(kEntry.size());
  }
  return "cmake";
}

void print_end(const std::string& log) {
  constexpr size_t kLines = 30;
  std::deque<std::string> lines;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    lines.push_back(line);
    if (lines.size() > kLines) lines.pop_front();
  }
  for (const std::string& line : lines) print_error("  {}\n", line);
  print_error("  (all of it: {})\n", log);
}

}  // namespace

bool run_build(const std::filesystem::path& tree, const std::string& target) {
  std::vector<std::string> words{cmake_of(tree),
                                 "--build",
                                 tree.string(),
                                 "--target",
                                 target,
                                 "-j",
                                 std::to_string(std::thread::hardware_concurrency())};
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const std::string log = (tree / (target + ".log")).string();
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (terminal) {
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  }
  pid_t process = 0;
  // The compilers see the signals that this process ignores as usual.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGXFSZ);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawnp(&process, argv[0], &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return false;
  int status = 0;
  while (waitpid(process, &status, 0) != process) {
    if (errno != EINTR) return false;
  }
  const bool built = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!built && !terminal) print_end(log);
  return built;
}

}  // namespace rivulet
