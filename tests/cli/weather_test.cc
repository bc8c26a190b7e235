// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The command where it meets the operating system: streams, descriptors, limits, names, signals.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw_model/workload/file.h"
#include "tests/cli/command.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

// A script, the exit code that it must have, and what must be on standard error.
struct Case {
  const char* script;
  int exit_code;
  const char* message;
};

class Weather : public testing::Test {
 protected:
  Weather() { write_model_folder(folder_ / "model", small_config(), 1); }

  // $G: a short run on the golden target.
  Outcome shell(const std::string& script) const {
    return run_shell(folder_.path().string(),
                     "G='sim --target golden --model model --prompt w3 --max-tokens 1'\n" + script);
  }
  void expect(const std::vector<Case>& cases) const {
    for (const Case& c : cases) {
      const Outcome outcome = shell(c.script);
      EXPECT_EQ(outcome.exit_code, c.exit_code) << c.script << "\n" << outcome.err;
      EXPECT_NE(outcome.err.find(c.message), std::string::npos) << c.script << "\n" << outcome.err;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(Weather, TheExitCodeDoesNotDependOnStandardError) {
  expect({{"$R op gemm --in absent --out o.st 2>/dev/full", 2, ""},
          {"$R op gemm --in absent --out o.st 2>&-", 2, ""},
          {"$R sim --nope 2>/dev/full", 2, ""},
          {"$R $G --max-cycles 0 --json 2>/dev/full", 0, ""},
          {"$R sim --target cycle --config unit --model model --prompt w3 --max-cycles 9 2>&-", 3,
           ""}});
}

TEST_F(Weather, StandardOutputThatFailsIsExitCode1) {
  expect({{"$R $G >/dev/full", 1, "writing failed"},
          {"$R $G --json >&-", 1, "writing failed"},
          {"$R sim --help >/dev/full", 1, "writing failed"},
          {"(sleep 0.2; $R info; echo $? >code) | true; exit $(cat code)", 1, "writing failed"}});
}

// Else the first files of the run get their numbers, and what is printed.
TEST_F(Weather, ClosedDescriptorsAreNoFiles) {
  EXPECT_EQ(shell("$R $G --json=a.json <&- >&- 2>&-").exit_code, 1);
  EXPECT_EQ(shell("$R $G --json=b.json <&- 2>&-").exit_code, 0);
  for (const char* name : {"a.json", "b.json"}) {
    EXPECT_EQ(nlohmann::json::parse(read_text_file(folder_ / name)).at("tokens"), 1) << name;
  }
  const Outcome traced = shell(
      "$R sim --model model --prompt w3 --max-tokens 1 --config unit --trace=t.fst >&-; code=$?\n"
      "[ $(head -c 1 t.fst | od -An -tu1) = 0 ] || exit 99; exit $code");
  EXPECT_EQ(traced.exit_code, 1) << traced.err;
}

TEST_F(Weather, BytesThatAreNoTextAreEscaped) {
  const Outcome prompt = shell("$R sim --target golden --model model --prompt $'w\\xe9\\x1b'");
  EXPECT_EQ(prompt.exit_code, 2);
  EXPECT_NE(prompt.err.find("'w\\xe9\\x1b'"), std::string::npos) << prompt.err;
  const Outcome named = shell(
      "ln -s model $'m\\xe9'; $R sim --target golden --prompt w3 "
      "--max-tokens 1 --model $'m\\xe9' --json >j.json");
  EXPECT_EQ(named.exit_code, 0) << named.err;
  const auto json = nlohmann::json::parse(read_text_file(folder_ / "j.json"));
  EXPECT_EQ(json.at("model"), "m\\xe9");
  EXPECT_NE(json.at("repeat").get<std::string>().find("$'m\\351'"), std::string::npos);
  EXPECT_EQ(shell("$R $G --json=$'r\\xe9s.json'").exit_code, 0);
  EXPECT_EQ(shell("[ -s $'r\\xe9s.json' ]").exit_code, 0);
}

TEST_F(Weather, WritingThatFailsIsExitCode1AndLeavesNothing) {
  expect(
      {{"(ulimit -f 0; exec $R $G --json=u.json 2>&1 >/dev/null) | cat >&2; exit "
        "${PIPESTATUS[0]}",
        1, "u.json: writing failed (File too large)"}});
  EXPECT_EQ(shell("ls -A | grep -v model").out, "");
}

TEST_F(Weather, AnOutputOverAnInputIsRefused) {
  expect({{"$R $G --json=model/config.json", 2, "is the file of --model too"},
          {"$R $G --json=model/vocab.json", 2, "is the file of --model too"},
          {"$R $G --json=model/model.safetensors", 2, "is the file of --model too"},
          {"ln model/eval/one.jsonl x; $R eval --model model --json=x", 2, "of --model too"},
          {"$R sim --model model --prompt w3 --trace=q.fst --json=q.fst.hier", 2, "--trace too"},
          {"echo mine >z.fst.hier; $R sim --model model --prompt w3 --trace=z.fst", 2, "exists"}});
  EXPECT_EQ(shell("cat z.fst.hier").out, "mine\n");
  EXPECT_EQ(shell("$R $G").exit_code, 0);
}

TEST_F(Weather, WhatIsWrittenKeepsLinksModesAndNames) {
  EXPECT_EQ(
      shell("ln -s behind dangling; $R $G --json=dangling; [ -L dangling -a -s behind ]").exit_code,
      0);
  EXPECT_EQ(shell("touch m; chmod 600 m; $R $G --json=m; stat -c %a m >&2; [ -s m ]").err, "600\n");
  EXPECT_EQ(shell("umask 027; $R $G --json=n; stat -c %a n >&2").err, "640\n");
  for (const size_t length : {244U, 250U, 255U}) {
    const std::string name(length, 'n');
    EXPECT_EQ(shell(fmt::format("$R $G --json={0} && [ -s {0} ]", name)).exit_code, 0) << length;
  }
  EXPECT_EQ(shell("$R $G --json=" + std::string(256, 'n')).exit_code, 2);
}

TEST_F(Weather, NumbersAreDecimalAndWhole) {
  const Outcome seed = shell("$R $G --seed 010 --json");
  EXPECT_EQ(nlohmann::json::parse(seed.out).at("seed"), 10);
  expect({{"$R $G --threshold ''", 2, "--threshold: ''"},
          {"$R $G --threshold 0x1p-1", 2, "--threshold: '0x1p-1'"},
          {"$R $G --threshold nan", 2, "--threshold: 'nan'"},
          {"$R $G --stall-in ''", 2, "--stall-in: ''"},
          {"$R $G --seed ''", 2, "--seed: ''"},
          {"$R $G --seed +1", 2, "--seed: '+1'"},
          {"$R $G --seed 0x10", 2, "--seed: '0x10'"},
          {"$R $G --max-tokens 1e1", 2, "--max-tokens: '1e1'"},
          {"$R eval --model model --threads 65", 2, "--threads: '65'"}});
}

TEST_F(Weather, NothingToScoreIsExitCode2) {
  expect({{"rm -r model/eval; $R eval --model model", 2, "no evaluation tasks"}});
}

TEST_F(Weather, FileSystemErrorsHaveTheirReason) {
  expect({{"ln -s b a; ln -s a b; $R sim --target golden --model a", 2, "a: Too many levels"},
          {"$R op gemm --in a --out b", 2, "b: Too many levels"},
          {"$R op gemm --in a --out c", 2, "a: Too many levels"},
          {"$R $G --json=a", 2, "a: Too many levels"},
          {"$R sim --target golden --model model/config.json", 2, "not a folder"},
          {"$R sim --target golden --model none", 2, "no such model folder"},
          {"$R op gemm --in none --out c", 2, "none: no such file"}});
  const std::string name(300, 'n');
  EXPECT_EQ(shell("$R sim --target golden --model " + name).exit_code, 2);
}

// What lies in the place of weights at times, each named as what it is and within a few lines.
TEST_F(Weather, WrongWeightsAreCalledWhatTheyAre) {
  const std::string weights = "model/model.safetensors";
  const std::vector<std::pair<std::string, const char*>> cases{
      {"printf 'version https://git-lfs.github.com/spec/v1\\n'", "a Git LFS pointer"},
      {"printf '<!DOCTYPE html>\\n<html>'", "an HTML or XML page"},
      {"(printf xxxxxxxx; printf '%1000000s')", "header of 8680820740569200760 bytes"},
      {R"((printf '\x05\0\0\0\0\0\0\0{\xe4\xe4\xe4}'))", "\\xe4"}};
  for (const auto& [writer, cause] : cases) {
    const Outcome outcome = shell(fmt::format("{} >{}; $R $G", writer, weights));
    EXPECT_EQ(outcome.exit_code, 2) << writer;
    EXPECT_NE(outcome.err.find(cause), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find('\xe4'), std::string::npos) << outcome.err;
    EXPECT_LT(outcome.err.size(), 2000U);
  }
}

// The benches have the same command line; this program is one.
TEST_F(Weather, BenchesAreAsStrict) {
  const std::string bench = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string run = bench + " --filter ExitCode.* ";
  const std::vector<std::pair<std::string, int>> cases{{"", 0},
                                                       {"--seed 010", 0},
                                                       {"--seed -1", 2},
                                                       {"--seed 18446744073709551616", 2},
                                                       {"--seed ''", 2},
                                                       {"--max-cycles 0x10", 2},
                                                       {"--stall-in ''", 2},
                                                       {"--json=/dev/full", 1},
                                                       {"--json=no/x", 1},
                                                       {"--nope 2>/dev/full", 2},
                                                       {">/dev/full", 1},
                                                       {"--json=j.json >&-", 1}};
  for (const auto& [arguments, code] : cases) {
    const Outcome outcome = shell(run + arguments);
    EXPECT_EQ(outcome.exit_code, code) << arguments << "\n" << outcome.err;
  }
}

}  // namespace
}  // namespace rivulet
