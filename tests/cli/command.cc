// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/cli/command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <stdexcept>

#include "sw_model/workload/file.h"
#include "tests/workload/test_model.h"

extern char** environ;

namespace rivulet {

namespace {

Outcome run_program(std::vector<std::string> words) {
  const TemporaryFolder folder;
  const std::string out = folder / "out", err = folder / "err";
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), kFlags, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), kFlags, 0600);
  pid_t process = 0;
  const int error = posix_spawn(&process, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  if (error != 0 || waitpid(process, &status, 0) != process) {
    throw std::runtime_error(words[0] + ": cannot be started");
  }
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = read_text_file(out),
          .err = read_text_file(err)};
}

}  // namespace

Outcome run_rivulet(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{RIVULET_COMMAND};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(words);
}

Outcome run_shell(const std::string& folder, const std::string& script) {
  return run_program({"/bin/bash", "-c", "cd \"$1\" && R=$0\n" + script, RIVULET_COMMAND, folder});
}

}  // namespace rivulet
