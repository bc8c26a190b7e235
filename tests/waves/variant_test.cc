// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Programs that are built when they are first asked for: once, whoever asks, and again when they
// are older than the program that asks. In a build tree of its own, in which building is copying.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/waves/child.h"

namespace rivulet {
namespace {

namespace fs = std::filesystem;

class Variant : public testing::Test {
 protected:
  Variant() { fs::copy_file(WAVE_BENCH, folder_ / "wave_bench"); }

  // A build tree that makes the twin by `command`; each build adds a line to the file `builds`.
  void configure(const std::string& command) {
    fs::create_directory(folder_ / "source");
    std::ofstream(folder_ / "source/CMakeLists.txt") << fmt::format(
        "cmake_minimum_required(VERSION 3.25)\n"
        "project(scratch NONE)\n"
        "add_custom_command(OUTPUT wave_bench-traced\n"
        "  COMMAND sh -c \"echo built >>builds\"\n"
        "  COMMAND {})\n"
        "add_custom_target(twin DEPENDS wave_bench-traced)\n",
        command);
    const ChildResult result =
        run_child({"cmake", "-G", "Ninja", "-S", "source", "-B", "."}, folder_.path());
    ASSERT_EQ(result.exit_code, 0) << result.output;
  }
  std::vector<std::string> words() const {
    return {(folder_ / "wave_bench").string(), "--filter", "One.Passes", "--trace=w.fst"};
  }
  ChildResult run() const { return run_child(words(), folder_.path()); }
  size_t builds() const {
    std::ifstream file(folder_ / "builds");
    return static_cast<size_t>(
        std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n'));
  }
  static std::string copy_twin() {
    return fmt::format("sleep 1 COMMAND cmake -E copy {} wave_bench-traced", WAVE_BENCH_TWIN);
  }

  ScratchFolder folder_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Variant, IsBuiltOnceByTwoAtOnce) {
  configure(copy_twin());
  Child first(words(), folder_.path());
  Child second(words(), folder_.path());
  EXPECT_EQ(first.wait(), 0) << first.output();
  EXPECT_EQ(second.wait(), 0) << second.output();
  EXPECT_EQ(builds(), 1U);
  EXPECT_TRUE(contains(first.output() + second.output(), "building (once")) << first.output();
  const ChildResult third = run();
  EXPECT_EQ(third.exit_code, 0);
  EXPECT_FALSE(contains(third.output, "building")) << third.output;
}

TEST_F(Variant, IsBroughtUpToDate) {
  configure(copy_twin());
  ASSERT_EQ(run().exit_code, 0);
  const auto now = fs::last_write_time(folder_ / "wave_bench-traced");
  fs::last_write_time(folder_ / "wave_bench", now + std::chrono::seconds(1));
  const ChildResult result = run();
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output, "bringing up to date")) << result.output;
  EXPECT_EQ(builds(), 1U);  // there was nothing to do
}

TEST_F(Variant, ThatDoesNotBuildIsExplained) {
  configure("cmake -E false");
  const ChildResult result = run();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.output, "cannot be built; again: cmake --build")) << result.output;
  EXPECT_TRUE(contains(result.output, "FAILED")) << result.output;
  EXPECT_FALSE(fs::exists(folder_ / "w.fst"));
}

TEST_F(Variant, WithoutABuildTree) {
  const ChildResult result = run();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.output, "this installation does not have wave_bench with waves"))
      << result.output;
}

// As `make install` lays it out.
TEST_F(Variant, Installed) {
  fs::create_directories(folder_ / "bin");
  fs::create_directories(folder_ / "libexec/rivulet");
  fs::copy_file(RIVULET, folder_ / "bin/rivulet");
  const auto run = [&](const std::string& config) {
    return run_child({(folder_ / "bin/rivulet").string(), "sim", "--model", MODEL, "--config",
                      config, "--task", "get", "--max-cycles", "100"},
                     folder_.path());
  };
  const ChildResult none = run("unit");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_TRUE(contains(none.output, "make install CONFIGS=\"unit\"")) << none.output;
  EXPECT_TRUE(contains(none.output, "RTL models here: none")) << none.output;
  fs::copy_file(RIVULET_UNIT, folder_ / "libexec/rivulet/rivulet-tile-unit");
  EXPECT_EQ(run("unit").exit_code, 3) << run("unit").output;  // it runs, for a hundred cycles
  EXPECT_TRUE(contains(run("kv260").output, "RTL models here: unit"));
  const ChildResult info = run_child({(folder_ / "bin/rivulet").string(), "info"}, folder_.path());
  EXPECT_TRUE(contains(info.output, "RTL models: unit; others: make install")) << info.output;
}

}  // namespace
}  // namespace rivulet
