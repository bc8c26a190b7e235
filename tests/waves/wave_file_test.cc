// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// --trace of every kind of bench: one file, complete, with the window asked for, however the run
// ends; and a message where there is no such window.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/waves/child.h"
#include "tests/waves/fst_file.h"

namespace rivulet {
namespace {

using Words = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Words wave_bench(const std::string& filter, const Words& more) {
  Words words{WAVE_BENCH, "--filter", filter};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void expect_window(const FstFile& fst, std::uint64_t first, std::uint64_t last) {
  EXPECT_EQ(fst.first_cycle(), first);
  EXPECT_EQ(fst.last_cycle(), last);
  EXPECT_GT(fst.variables, 0U);
}

// Every way from a bench to waves: Bench, Simulation alone, the tile, the converter, the command.
struct Program {
  const char* name;
  Words words;
};
std::ostream& operator<<(std::ostream& stream, const Program& program) {
  return stream << program.name;
}
class EveryBench : public testing::TestWithParam<Program> {};
INSTANTIATE_TEST_SUITE_P(
    Wave, EveryBench,
    testing::Values(
        Program{"stream_cells", {STREAM_CELLS_TEST, "--filter", "StreamCells.FullThroughput"}},
        Program{"pe", {PE_TEST}}, Program{"adder_tree", {ADDER_TREE_TEST}},
        Program{"assertions", {COMMON_TEST, "--filter", "AssertTest.LegalTrafficIsSilent"}},
        Program{"violated_assertion",
                {COMMON_TEST, "--filter", "AssertTest.AssertStableReportsChangedData"}},
        Program{"tile", {TILE_TEST, "--filter", "Tile/SmallTileTest.AlignmentWidths/unit"}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(EveryBench, HoldsTheWindow) {
  const ScratchFolder folder;
  Words words = GetParam().words;
  words.insert(words.end(), {"--trace=w.fst", "--trace-start", "2", "--trace-stop", "4"});
  const ChildResult result = run_child(words, folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output, "waves: gtkwave w.fst  (cycles 2 to 4)")) << result.output;
  expect_window(read_fst(folder / "w.fst"), 2, 4);
  EXPECT_EQ(folder.files(), Words{"w.fst"});
}

TEST(WaveFile, DefaultNameInTheWorkingDirectory) {
  const ScratchFolder folder;
  const ChildResult result = run_child(wave_bench("One.Passes", {"--trace"}), folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.output;
  expect_window(read_fst(folder / "wave_bench.fst"), 0, 49);  // the last simulation
}

TEST(WaveFile, TheSimulationNamed) {
  const ScratchFolder folder;
  run_child(wave_bench("One.Passes", {"--trace=w.fst", "--trace-simulation", "1"}), folder.path());
  expect_window(read_fst(folder / "w.fst"), 0, 99);
}

// The last simulation ends before the window, the one before it does not.
TEST(WaveFile, OfTheLastThatReachedTheWindow) {
  const ScratchFolder folder;
  const ChildResult result =
      run_child(wave_bench("One.Passes", {"--trace=w.fst", "--trace-start", "80"}), folder.path());
  EXPECT_TRUE(contains(result.output, "simulation 1 of One.Passes")) << result.output;
  expect_window(read_fst(folder / "w.fst"), 80, 99);
}

TEST(WaveFile, OnlyOfTheFailure) {
  const ScratchFolder folder;
  const ChildResult result = run_child(wave_bench("Wave/Many.*", {"--trace=w.fst"}), folder.path());
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(contains(result.output, "Wave/Many.EighthFails/7, seed 8, which failed"))
      << result.output;
  expect_window(read_fst(folder / "w.fst"), 0, 27);
  EXPECT_EQ(folder.files(), Words{"w.fst"});
}

// A failure before the window leaves no file, not that of a simulation that passed.
TEST(WaveFile, NoneOfAFailureBeforeTheWindow) {
  const ScratchFolder folder;
  std::filesystem::copy_file(WAVE_BENCH_TWIN, folder / "w.fst");  // stale
  const ChildResult result =
      run_child(wave_bench("Wave/Many.*", {"--trace=w.fst", "--trace-start", "28"}), folder.path());
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(contains(result.output, "none in w.fst: the simulation ended after 28 cycles"))
      << result.output;
  EXPECT_EQ(folder.files(), Words{});
}

TEST(WaveFile, AfterAnException) {
  const ScratchFolder folder;
  const ChildResult result = run_child(wave_bench("One.Throws", {"--trace=w.fst"}), folder.path());
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(contains(result.output, "which failed")) << result.output;
  expect_window(read_fst(folder / "w.fst"), 0, 39);
}

TEST(WaveFile, AfterATimeOut) {
  const ScratchFolder folder;
  const ChildResult result = run_child(
      {STREAM_CELLS_TEST, "--filter", "StreamCells.Stalls", "--max-cycles", "30", "--trace=w.fst"},
      folder.path());
  EXPECT_EQ(result.exit_code, 3) << result.output;
  const FstFile fst = read_fst(folder / "w.fst");
  EXPECT_GE(fst.last_cycle(), 29U);
  EXPECT_EQ(folder.files(), Words{"w.fst"});
}

TEST(WaveFile, AfterAnInterrupt) {
  // In the window, and after it.
  for (const auto& [signal, stop] : {std::pair(SIGINT, "99999999"), std::pair(SIGTERM, "9")}) {
    const ScratchFolder folder;
    Child child(wave_bench("One.NeverEnds", {"--trace=w.fst", "--trace-stop", stop}),
                folder.path());
    for (int i = 0; i < 1000 && folder.files().empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    child.send(signal);
    EXPECT_EQ(child.wait(), -signal);
    EXPECT_TRUE(contains(child.output(), "waves: gtkwave w.fst  (cycles 0 to ")) << child.output();
    EXPECT_TRUE(contains(child.output(), "interrupted")) << child.output();
    EXPECT_EQ(read_fst(folder / "w.fst").first_cycle(), 0U);
  }
}

TEST(WaveFile, WindowPastTheEnd) {
  const ScratchFolder folder;
  const ChildResult after = run_child(
      wave_bench("One.Passes", {"--trace=w.fst", "--trace-start", "5000"}), folder.path());
  EXPECT_TRUE(contains(after.output,
                       "none in w.fst: the simulation ended after 100 cycles, before "
                       "cycle 5000"))
      << after.output;
  EXPECT_EQ(folder.files(), Words{});
  const ChildResult across =
      run_child(wave_bench("One.Passes", {"--trace=w.fst", "--trace-stop", "60"}), folder.path());
  EXPECT_TRUE(contains(across.output, "cycles 0 to 49; the simulation ended before cycle 60"))
      << across.output;
}

TEST(WaveFile, ThatCannotBeWritten) {
  const ScratchFolder folder;
  const ChildResult result =
      run_child(wave_bench("One.Passes", {"--trace=no/w.fst"}), folder.path());
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(contains(result.output, "cannot write waves to 'no/w.fst'")) << result.output;
}

TEST(WaveFile, CommandWithAWindow) {
  const ScratchFolder folder;
  const Words words{RIVULET, "sim",          "--config", "unit",          "--task",
                    "get",   "--max-cycles", "3000",     "--trace=w.fst", "--trace-start",
                    "100",   "--trace-stop", "200"};
  const ChildResult result = run_child(words, folder.path());
  EXPECT_EQ(result.exit_code, 3) << result.output;  // a time-out, after the window
  expect_window(read_fst(folder / "w.fst"), 100, 200);
  EXPECT_EQ(run_child({RIVULET, "sim", "--trace-start", "5"}, folder.path()).exit_code, 2);
}

}  // namespace
}  // namespace rivulet
