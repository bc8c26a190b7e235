// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/exit_code.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "sw_model/common/device_error.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {
namespace {

template <typename Exception>
int code_of(const std::string& more = "") {
  testing::internal::CaptureStderr();
  const int code = run_guarded([]() -> int { throw Exception("what\x1b happened"); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "rivulet: what\\x1b happened" + more + "\n");
  return code;
}

TEST(ExitCode, OfEveryOutcome) {
  EXPECT_EQ(run_guarded([] { return 0; }), 0);
  EXPECT_EQ(run_guarded([] { return 1; }), 1);
  EXPECT_EQ(code_of<Mismatch>(), 1);
  EXPECT_EQ(code_of<std::runtime_error>(), 1);
  EXPECT_EQ(code_of<std::logic_error>(), 1);
  EXPECT_EQ(code_of<InputError>(), 2);
  EXPECT_EQ(code_of<std::invalid_argument>(), 2);
  EXPECT_EQ(code_of<TimeOut>("\n  repeat with: "), 3);
}

}  // namespace
}  // namespace rivulet
