// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Every assertion macro of rtl/common/rivulet_assert.svh: silent on legal traffic and in reset, and
// reported by name when it is violated on purpose.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "Vassert_bench.h"
#include "tb/options.h"
#include "tb/simulation.h"

namespace rivulet {
namespace {

// One cycle of stimulus. The default is legal traffic: nothing offered, nothing pending.
struct Inputs {
  bool reset_n = true;
  bool always = true;
  bool pre = false;
  bool post = false;
  bool valid = false;
  bool ready = false;
  uint8_t data = 0;
};

class AssertTest : public testing::Test {
 protected:
  AssertTest() {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    cycle({.reset_n = false});
    cycle({.reset_n = false});
    cycle({});
  }

  void cycle(const Inputs& in) {
    Vassert_bench& top = simulation_.top();
    top.rst_ni = in.reset_n;
    top.always_i = in.always;
    top.pre_i = in.pre;
    top.post_i = in.post;
    top.valid_i = in.valid;
    top.ready_i = in.ready;
    top.data_i = in.data;
    simulation_.settle();
    simulation_.edge();
  }

  // Whether the assertion `name` and no other has been reported so far.
  void expect_violated(const std::string& name) {
    cycle({});
    const std::string output =
        testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
    EXPECT_TRUE(simulation_.failed()) << output;
    for (const std::string known : {"Always_A", "Next_A", "Stable_A"}) {
      EXPECT_EQ(output.find(known + ": violated") != std::string::npos, known == name) << output;
    }
  }

  void expect_silent() {
    cycle({});
    const std::string output =
        testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
    EXPECT_FALSE(simulation_.failed()) << output;
    EXPECT_EQ(output, "");
  }

 private:
  Simulation<Vassert_bench> simulation_{options().seeds(1).front()};
};

TEST_F(AssertTest, LegalTrafficIsSilent) {
  cycle({.pre = true});
  cycle({.post = true});
  cycle({.valid = true, .data = 7});
  cycle({.valid = true, .data = 7});
  cycle({.valid = true, .ready = true, .data = 7});
  cycle({.valid = true, .ready = true, .data = 8});
  cycle({.ready = true, .data = 9});
  expect_silent();
}

TEST_F(AssertTest, ResetDisablesAll) {
  cycle({.pre = true, .valid = true, .data = 7});
  cycle({.reset_n = false, .always = false});
  cycle({.reset_n = false, .always = false, .pre = true, .valid = true, .data = 1});
  cycle({});
  expect_silent();
}

TEST_F(AssertTest, AssertReportsFalse) {
  cycle({.always = false});
  expect_violated("Always_A");
}

TEST_F(AssertTest, AssertNextReportsMissingPost) {
  cycle({.pre = true, .post = true});
  cycle({});
  expect_violated("Next_A");
}

TEST_F(AssertTest, AssertStableReportsWithdrawnValid) {
  cycle({.valid = true, .data = 7});
  cycle({.data = 7});
  expect_violated("Stable_A");
}

TEST_F(AssertTest, AssertStableReportsChangedData) {
  cycle({.valid = true, .data = 7});
  cycle({.valid = true, .data = 6});
  expect_violated("Stable_A");
}

// An offer that is accepted in the very cycle in which it changed is a violation too.
TEST_F(AssertTest, AssertStableReportsChangeOnAcceptance) {
  cycle({.valid = true, .data = 7});
  cycle({.valid = true, .ready = true, .data = 6});
  expect_violated("Stable_A");
}

}  // namespace
}  // namespace rivulet
