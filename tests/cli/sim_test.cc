// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// `rivulet sim`, `eval` and `info` from the outside, on a small random model.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sw_model/workload/file.h"
#include "tests/cli/command.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

class Sim : public testing::Test {
 protected:
  Sim() { write_model_folder(folder_ / "model", small_config(), 1); }

  Outcome run(const std::string& command, const std::vector<std::string>& arguments) const {
    std::vector<std::string> words{command, "--model", folder_ / "model"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_rivulet(words);
  }
  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  TemporaryFolder folder_;
};

TEST_F(Sim, GoldenPrintsTextAndSummary) {
  const Outcome outcome = run("sim", {"--target", "golden", "--task", "one", "--seed", "4"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* word :
       {"prompt (22 tokens)", "answer: w", "seed 4", "one: the right answer is: w", "MACs",
        "repeat with", "nothing to compare", " at q8 on target", "stored",
        "fetched (1.00 times)"}) {
    EXPECT_TRUE(contains(outcome.out, word)) << word << "\n" << outcome.out;
  }
}

TEST_F(Sim, RtlAndCycleDecodeTheGoldenText) {
  std::string text;
  for (const char* target : {"golden", "cycle", "rtl"}) {
    const std::string file = folder_ / (std::string(target) + ".json");
    const Outcome outcome =
        run("sim", {"--target", target, "--config", "unit", "--prompt", "w3 w4 w5", "--max-tokens",
                    "8", "--attention", "tile", "--json=" + file});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(read_text_file(file));
    if (text.empty()) text = json.at("text");
    EXPECT_EQ(json.at("text"), text);
    EXPECT_EQ(json.at("tokens_equal"), json.at("tokens"));
    EXPECT_EQ(json.at("words_compared"), json.at("words_expected"));
    const bool golden = std::string(target) == "golden";
    EXPECT_EQ(json.at("words_compared") == 0, golden);
    EXPECT_EQ(json.at("counters").at("cycles") == 0, golden);
    EXPECT_TRUE(contains(outcome.out, golden ? "nothing to compare" : "compared, all equal"));
  }
}

// Narrower codes: fewer delivered bytes and cycles a product than at q8 (q4 and q2 are alike here:
// the units are shorter than a beat of q2). The text, and with it the number of forwards, may
// change.
TEST_F(Sim, TiersNarrowTheWeights) {
  double q8_bytes = 0;  // a MAC
  double q8_cycles = 0;
  for (const char* tier : {"q8", "q4", "q2"}) {
    const Outcome outcome = run("sim", {"--target", "cycle", "--config", "unit", "--prompt", "w3",
                                        "--max-tokens", "1", "--tier", tier, "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json.at("tier"), tier);
    EXPECT_EQ(json.at("words_compared"), json.at("words_expected"));
    const auto& counters = json.at("counters");
    EXPECT_EQ(counters.at("macs").size(), 2U);
    EXPECT_TRUE(counters.at("macs").contains("bf16"));  // the head
    const double macs = counters.at("macs").at(tier);
    const double bytes = counters.at("bytes").at("weights").at(tier);
    const double cycles = counters.at("cycles");
    if (std::string(tier) == "q8") {
      q8_bytes = bytes / macs;
      q8_cycles = cycles / macs;
    } else {
      EXPECT_LT(bytes / macs, q8_bytes) << tier;
      EXPECT_LT(cycles / macs, q8_cycles) << tier;
    }
  }
}

TEST_F(Sim, StallsChangeCyclesAndNothingElse) {
  const auto json_of = [&](const std::string& stall) {
    const Outcome outcome = run("sim", {"--config", "unit", "--prompt", "w3 w4", "--max-tokens",
                                        "2", "--stall-in", stall, "--stall-out", stall, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  const auto smooth = json_of("0"), stalled = json_of("0.5");
  EXPECT_EQ(smooth.at("text"), stalled.at("text"));
  EXPECT_LT(smooth.at("counters").at("cycles"), stalled.at("counters").at("cycles"));
  EXPECT_EQ(smooth.at("counters").at("macs"), stalled.at("counters").at("macs"));
}

TEST_F(Sim, TraceIsWritten) {
  const std::string file = folder_ / "waves.fst";
  const Outcome outcome =
      run("sim", {"--config", "unit", "--prompt", "w3", "--max-tokens", "1", "--trace=" + file});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(std::filesystem::file_size(file), 1000U);
}

TEST_F(Sim, TimeOutIsExitCode3) {
  const Outcome outcome =
      run("sim", {"--config", "unit", "--prompt", "w3 w4", "--max-cycles", "50"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "repeat with: ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "--max-cycles 50")) << outcome.err;
  EXPECT_TRUE(outcome.out.ends_with("\n")) << outcome.out;
}

TEST_F(Sim, WrongArgumentsAreExitCode2) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> cases{
      {{"--prompt", "w3 w44"}, "nearest: w4, w14"},
      {{"--prompt", " "}, "the prompt is empty"},
      {{"--prompt", "w3", "--task", "one"}, "exclude each other"},
      {{"--task", "three"}, "known: one, two"},
      {{"--target", "silicon", "--prompt", "w3"}, "known: golden, cycle, rtl"},
      {{"--config", "huge", "--prompt", "w3"}, "known: unit, edge, kv260"},
      {{"--attention", "nowhere", "--prompt", "w3"}, "nowhere"},
      {{"--tier", "q0", "--prompt", "w3"}, "q0"},
      {{"--stall-in", "2", "--prompt", "w3"}, "--stall-in: '2' is not"},
      {{"--threshold", "-1", "--prompt", "w3"}, "threshold"},
      {{"--max-tokens", "0", "--prompt", "w3"}, "--max-tokens: '0' is not"},
      {{"--max-tokens", "-1", "--prompt", "w3"}, "--max-tokens: '-1' is not"},
      {{"--max-cycles", "-1", "--prompt", "w3"}, "--max-cycles: '-1' is not"},
      {{"--seed", "x", "--prompt", "w3"}, "--seed: 'x' is not"},
      {{"--seed", "18446744073709551616", "--prompt", "w3"}, "is not a whole number"},
      {{"--prompt", ""}, "the prompt is empty"},
      {{"--prompt", "w3", "--json=" + (folder_ / "no" / "x").string()}, "no such directory"},
      {{"--prompt", "w3", "--json=" + folder_.path().string()}, "is a directory"},
      {{"--prompt", "w3", "--trace=" + (folder_ / "no" / "x").string()}, "no such directory"},
      {{"--prompt", "w3", "--trace=" + (folder_ / "a").string(),
        "--json=" + (folder_ / "a").string()},
       "is the file of --trace too"},
      {{"--trase", "--prompt", "w3"}, "--trase"},
      {{"--trace", "--target", "golden", "--prompt", "w3"}, "no waves"},
  };
  size_t refused = 0;
  for (const auto& [arguments, expected] : cases) {
    const Outcome outcome = run("sim", arguments);
    EXPECT_EQ(outcome.exit_code, 2) << expected;
    EXPECT_TRUE(contains(outcome.err, expected)) << outcome.err;
    EXPECT_EQ(outcome.out, "") << expected;
    ++refused;
  }
  EXPECT_EQ(refused, 22U);
  EXPECT_EQ(run("eval", {"--limit", "-1"}).exit_code, 2);
  EXPECT_EQ(run("eval", {"--json=" + (folder_ / "no" / "x").string()}).out, "");
  EXPECT_EQ(run_rivulet({"sim", "--model", folder_ / "absent"}).exit_code, 2);
  EXPECT_EQ(run_rivulet({}).exit_code, 2);
  EXPECT_EQ(run_rivulet({"simulate"}).exit_code, 2);
  EXPECT_EQ(run_rivulet({"op", "gemmm"}).exit_code, 2);
}

TEST_F(Sim, HelpIsExitCode0) {
  for (const char* command : {"sim", "eval", "op", "info"}) {
    EXPECT_EQ(run_rivulet({command, "--help"}).exit_code, 0) << command;
  }
  EXPECT_EQ(run_rivulet({"--help"}).exit_code, 0);
  EXPECT_TRUE(contains(run_rivulet({"--help"}).out, "Exit codes"));
  const Outcome info = run_rivulet({"info"});
  EXPECT_EQ(info.exit_code, 0);
  for (const char* name : {"unit", "edge", "kv260"}) EXPECT_TRUE(contains(info.out, name));
}

TEST_F(Sim, EvalScoresEveryTaskAndFormat) {
  const Outcome outcome = run("eval", {"--json", "--max-tokens", "8"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 2U * 3U);
  for (const auto& row : rows) {
    EXPECT_EQ(row.at("n"), 6);
    EXPECT_LE(row.at("low"), row.at("exact_match"));
  }
  EXPECT_EQ(run("eval", {"--task", "three"}).exit_code, 2);
  EXPECT_EQ(run("eval", {"--format", "fp4"}).exit_code, 2);
}

}  // namespace
}  // namespace rivulet
