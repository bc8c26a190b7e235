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

}  // namespace
}  // namespace rivulet
