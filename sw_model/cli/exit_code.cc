// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/exit_code.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sw_model/cli/command_line.h"
#include "sw_model/common/device_error.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

// Names and prompts may hold control characters, which a terminal would obey.
std::string printable(std::string_view text) {
  std::string result;
  for (const char character : text) {
    if ((static_cast<unsigned char>(character) < ' ' && character != '\n') || character == '\x7f') {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(character));
    } else {
      result += character;
    }
  }
  return result;
}

int report(std::string_view text, int exit_code) {
  std::fflush(stdout);
  fmt::print(stderr, "rivulet: {}\n", printable(text));
  return exit_code;
}

}  // namespace

int run_guarded(const std::function<int()>& run) {
  try {
    const int exit_code = run();
    // What was printed must have arrived, on a full disk too.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      return report("standard output: writing failed", kExitMismatch);
    }
    return exit_code;
  } catch (const InputError& error) {
    return report(error.what(), kExitUsage);
  } catch (const std::invalid_argument& error) {
    return report(error.what(), kExitUsage);
  } catch (const TimeOut& error) {
    return report(fmt::format("{}\n  repeat with: {}", error.what(), repeat_command()),
                  kExitTimeOut);
  } catch (const std::bad_alloc&) {
    return report("out of memory: the run needs more than this machine gives it", kExitMismatch);
  } catch (const std::exception& error) {
    return report(error.what(), kExitMismatch);
  }
}

}  // namespace rivulet
