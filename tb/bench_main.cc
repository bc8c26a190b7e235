// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// main() of every test program: the command line of tb/options.h around GoogleTest.
// Also usable with the --gtest_* arguments that ctest gives.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw_model/common/message.h"
#include "sw_model/common/process.h"
#include "tb/options.h"
#include "tb/report.h"
#include "tb/traced_twin.h"
#include "tb/variant.h"
#include "tb/wave_ticket.h"

namespace rivulet {
namespace {

// Feeds GoogleTest's results to the report and prints what each test compared.
class ReportListener : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& info) override {
    report().begin_test(fmt::format("{}.{}", info.test_suite_name(), info.name()));
  }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed()) report().set_failed();
  }
  void OnTestEnd(const testing::TestInfo& info) override {
    report().end_test(info.result()->Passed(), info.result()->Skipped());
    const Report::Test& test = report().tests().back();
    if (test.compared.empty()) return;
    std::string channels;
    for (const auto& [channel, values] : test.compared) {
      channels += fmt::format("{}{} {}", channels.empty() ? "" : ", ", channel, values);
    }
    fmt::print("[ compared ] {} values in {} cycles of {} simulations ({})\n",
               test.total_compared(), test.cycles, test.simulations, channels);
  }
};

int run_tests() {
  const int result = RUN_ALL_TESTS();
  const testing::UnitTest& unit_test = *testing::UnitTest::GetInstance();
  if (testing::GTEST_FLAG(list_tests)) return kExitPass;
  if (report().timed_out()) return kExitTimeout;
  if (result != 0) return kExitFail;
  if (unit_test.successful_test_count() == 0) {
    print_error(
        "Nothing was run: {} tests match --filter '{}', {} were skipped{}. "
        "--list shows the names.\n",
        unit_test.test_to_run_count(), testing::GTEST_FLAG(filter), unit_test.skipped_test_count(),
        options().config.empty() ? "" : fmt::format(" (--config {})", options().config));
    return kExitUsage;
  }
  return kExitPass;
}

int bench_main(int argc, char** argv) {
  if (const auto exit_code = parse_options(argc, argv)) return *exit_code;
  std::vector<char*> gtest_argv{argv[0]};
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]).rfind("--gtest_", 0) == 0) gtest_argv.push_back(argv[i]);
  }
  int gtest_argc = static_cast<int>(gtest_argv.size());
  gtest_argv.push_back(nullptr);
  testing::InitGoogleTest(&gtest_argc, gtest_argv.data());
  if (gtest_argc > 1) {
    print_error("{}: unknown option\n", gtest_argv[1]);
    return kExitUsage;
  }
  if (options().filter != "*") {
    testing::GTEST_FLAG(filter) = options().filter;
  } else if (!options().config.empty()) {
    // Tests by type end their suite with the configuration, tests by value their name.
    testing::GTEST_FLAG(filter) = fmt::format("*/{0}.*:*/{0}", options().config);
  }
  if (options().trace && !options().list) run_traced_twin();
  if (options().list) testing::GTEST_FLAG(list_tests) = true;
  testing::UnitTest::GetInstance()->listeners().Append(new ReportListener);

  const int exit_code = run_tests();
  if (const std::string waves = wave_summary(); !waves.empty()) fmt::print("{}\n", waves);
  if (!options().json.empty()) {
    try {
      report().write_json(options().json, exit_code);
    } catch (const std::runtime_error& error) {
      print_error("{}\n", error.what());
      return exit_code == kExitPass ? kExitFail : exit_code;
    }
  }
  return exit_code;
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  rivulet::prepare_process();
  try {
    const int exit_code = rivulet::bench_main(argc, argv);
    if (rivulet::output_arrived()) return exit_code;
    rivulet::print_error("standard output: writing failed\n");
    return exit_code == 0 ? 1 : exit_code;
  } catch (const std::exception& error) {
    rivulet::print_error("{}\n", error.what());
    return rivulet::kExitUsage;
  }
}
