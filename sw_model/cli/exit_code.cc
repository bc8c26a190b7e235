// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/exit_code.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "sw_model/tile/device_error.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

int report(const std::exception& error, int exit_code) {
  std::fflush(stdout);
  fmt::print(stderr, "rivulet: {}\n", error.what());
  return exit_code;
}

}  // namespace

int run_guarded(const std::function<int()>& run) {
  try {
    return run();
  } catch (const InputError& error) {
    return report(error, kExitUsage);
  } catch (const std::invalid_argument& error) {
    return report(error, kExitUsage);
  } catch (const TimeOut& error) {
    return report(error, kExitTimeOut);
  } catch (const std::exception& error) {
    return report(error, kExitMismatch);
  }
}

}  // namespace rivulet
