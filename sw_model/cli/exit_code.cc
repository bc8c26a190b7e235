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
#include "sw_model/common/message.h"
#include "sw_model/common/text.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

// Bytes of a message about wrong input: a few lines, whatever the file holds.
constexpr size_t kMostMessage = 1500;

// Never throws: standard error may be closed or full.
int report(std::string_view text, int exit_code) {
  std::fflush(stdout);
  print_error("rivulet: {}\n", printable(text));
  return exit_code;
}

int report_input(const std::exception& error) {
  return report(input_message(error.what()), kExitUsage);
}

}  // namespace

std::string input_message(std::string_view text) {
  return shortened(printable(text), kMostMessage);
}

int run_guarded(const std::function<int()>& run) {
  try {
    const int exit_code = run();
    if (!output_arrived()) {
      return report("standard output: writing failed", kExitMismatch);
    }
    return exit_code;
  } catch (const InputError& error) {
    return report_input(error);
  } catch (const std::invalid_argument& error) {
    return report_input(error);
  } catch (const TimeOut& error) {
    return report(fmt::format("{}\n  repeat with: {}", error.what(), repeat_command()),
                  kExitTimeOut);
  } catch (const std::bad_alloc&) {
    return report("out of memory: the run needs more than this machine gives it", kExitMismatch);
  } catch (const Mismatch& error) {
    return report(error.what(), kExitMismatch);
  } catch (const std::exception& error) {
    return report(input_message(error.what()), kExitMismatch);
  } catch (...) {
    return report("an error of unknown kind", kExitMismatch);
  }
}

}  // namespace rivulet
