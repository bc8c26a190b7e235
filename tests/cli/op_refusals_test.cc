// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// What `rivulet op` explains, and everything that it must refuse.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>

#include "sw_model/workload/file.h"
#include "tests/cli/command.h"
#include "tests/cli/op_inputs.h"
#include "tests/numerics/compared.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

TEST(Op, HelpNamesEverything) {
  const Outcome list = run_rivulet({"op"});
  EXPECT_EQ(list.exit_code, 0);
  for (const char* name :
       {"convert", "gemm", "gemm-bf16", "kv-basis", "kv-encode", "kv-rank", "quantize"}) {
    EXPECT_NE(list.out.find(name), std::string::npos) << name;
    const Outcome help = run_rivulet({"op", name, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    for (const char* word : {"config", "stall_in", "stall_out", "--set", "Output tensors"}) {
      EXPECT_NE(help.out.find(word), std::string::npos) << name << " " << word;
    }
  }
  const Outcome gemm = run_rivulet({"op", "gemm", "--help"});
  for (const char* word : {"BF16", "I8", "F32", "[M,K]", "[N,ceil(K/group)]", "align_w", "128",
                           "transpose", "stored", "clamp"}) {
    EXPECT_NE(gemm.out.find(word), std::string::npos) << word;
  }
}

// Refused with exit code 2, a message that names the defect, and no output file.
TEST(Op, WrongRequestsAreRefused) {
  const Problem p{3, 4, 70, 32, 16, 8};
  OpInputs inputs(test_seed());
  const TensorFile good = inputs.make(p);
  struct Case {
    const char* expected;
    std::function<void(TensorFile&)> change;
    std::vector<std::string> settings;
  };
  const auto nothing = [](TensorFile&) {};
  const std::vector<Case> cases{
      {"unknown key 'tear' (known: tier", nothing, {"tear=4"}},
      {"'tier' is not KEY=VALUE", nothing, {"tier"}},
      {"key 'tier' is given twice", nothing, {"tier=8", "tier=4"}},
      {"key 'tier': '3' is not one of 8, 4, 2, 0", nothing, {"tier=3"}},
      {"key 'align_w': '17' is not a number from 9 to 16", nothing, {"align_w=17"}},
      {"key 'align_w': '16x' is not", nothing, {"align_w=16x"}},
      {"key 'group': '0' is not", nothing, {"group=0"}},
      {"key 'stall_in': '1.5' is not", nothing, {"stall_in=1.5"}},
      {"key 'stall_out': 'nan' is not", nothing, {"stall_out=nan"}},
      {"unknown configuration 'huge' (known: unit, edge, kv260)", nothing, {"config=huge"}},
      {"2 groups, K 70 and group 32 need 3",
       [](TensorFile& f) {
         f.tensors["scale"] = make_tensor<uint16_t>(Dtype::kBf16, {4, 2}, std::vector<uint16_t>(8));
       },
       {}},
      {"tensor 'scale' is missing", [](TensorFile& f) { f.tensors.erase("scale"); }, {}},
      {"unknown tensor 'w'", [](TensorFile& f) { f.tensors["w"] = f.tensors["x"]; }, {}},
      {"tensor 'codes': dtype U8, expected I8",
       [](TensorFile& f) { f.tensors["codes"].dtype = Dtype::kU8; },
       {}},
      {"tensor 'x': shape [210], expected [M,K]",
       [](TensorFile& f) { f.tensors["x"].shape = {210}; },
       {}},
      {"tensor 'codes': shape [7,40], expected [N,K] with K = 70",
       [](TensorFile& f) {
         f.tensors["codes"].shape = {7, 40};
       },
       {}},
      {"M must be at least 1",
       [](TensorFile& f) {
         f.tensors["x"] = make_tensor<uint16_t>(Dtype::kBf16, {0, 70}, std::vector<uint16_t>{});
       },
       {}},
      {"tensor 'codes': shape [4,70], expected [K,N] with K = 70", nothing, {"transpose=1"}},
      {"key 'stored': '2' is not one of 0, 1", nothing, {"stored=2"}},
      {"key 'clamp': '0' is not a number from 1 to 128", nothing, {"stored=1", "clamp=0"}},
      {"outside the 2-bit tier", nothing, {"tier=2"}},
      {"outside the 4-bit tier", nothing, {"tier=4"}},
  };
  Compared compared("refused requests");
  for (const Case& c : cases) {
    const TemporaryFolder folder;
    TensorFile input = good;
    c.change(input);
    write_safetensors(folder / "in", input);
    std::vector<std::string> settings = c.settings;
    if (settings.empty() || !settings[0].starts_with("group")) settings.push_back("group=32");
    const Outcome outcome =
        run_rivulet(op_arguments("gemm", folder / "in", folder / "out", settings));
    compared.holds(outcome.exit_code == 2 && outcome.err.find(c.expected) != std::string::npos &&
                       !std::filesystem::exists(folder / "out"),
                   [&] {
                     return fmt::format("expected exit 2 with \"{}\", got {} with \"{}\"",
                                        c.expected, outcome.exit_code, outcome.err);
                   });
  }
  compared.done(22);
}

TEST(Op, ConvertViewsOutOfRangeAreRefused) {
  const TemporaryFolder folder;
  TensorFile input;
  input.tensors["codes"] = make_tensor<int8_t>(Dtype::kI8, {3}, std::vector<int8_t>{1, 2, 3});
  write_safetensors(folder / "in", input);
  size_t refused = 0;
  for (const char* setting :
       {"clamp=0", "clamp=129", "shift=6", "shift=-1", "theta_p=256", "theta_n=-257", "theta_p=-25",
        "round=up", "kind=weights", "tier=16"}) {
    const Outcome outcome =
        run_rivulet(op_arguments("convert", folder / "in", folder / "out", {setting}));
    EXPECT_EQ(outcome.exit_code, 2) << setting;
    EXPECT_FALSE(std::filesystem::exists(folder / "out")) << setting;
    ++refused;
  }
  EXPECT_EQ(refused, 10U);
}

// Waves never replace the input or the output; a link is written through.
TEST(Op, FilesOfOneRunAreDistinct) {
  const TemporaryFolder folder;
  OpInputs inputs(test_seed());
  write_safetensors(folder / "in", inputs.make({3, 4, 70, 32, 16, 8}));
  const auto run = [&](const std::string& out, const std::string& trace) {
    std::vector<std::string> words =
        op_arguments("gemm", folder / "in", out, {"config=unit", "group=32"});
    words.insert(words.end(), {"--target", "rtl", "--trace=" + trace});
    return run_rivulet(words);
  };
  const auto before = read_file(folder / "in");
  EXPECT_NE(run(folder / "out", folder / "in").err.find("is the file of --in too"),
            std::string::npos);
  EXPECT_EQ(read_file(folder / "in"), before);
  EXPECT_EQ(run(folder / "out", folder / "out").exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  EXPECT_EQ(run(folder / "out", folder / "no" / "waves").exit_code, 2);

  std::filesystem::create_symlink("real", folder / "link");
  write_safetensors(folder / "real", inputs.make({3, 4, 70, 32, 16, 8}));
  const Outcome through = run(folder / "link", folder / "waves.fst");
  EXPECT_EQ(through.exit_code, 0) << through.err;
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_TRUE(read_safetensors(folder / "real").tensors.contains("acc"));
  EXPECT_GT(std::filesystem::file_size(folder / "waves.fst"), 1000U);
}

TEST(Op, WrongPathsAreRefused) {
  const TemporaryFolder folder;
  OpInputs inputs(test_seed());
  write_safetensors(folder / "in", inputs.make({3, 4, 70, 128, 16, 8}));
  std::filesystem::copy(folder / "in", folder / "same");
  const auto refused = [&](const std::string& in, const std::string& out,
                           const std::string& expected) {
    const Outcome outcome = run_rivulet(op_arguments("gemm", in, out, {}));
    EXPECT_EQ(outcome.exit_code, 2) << expected;
    EXPECT_NE(outcome.err.find(expected), std::string::npos) << outcome.err;
  };
  refused(folder / "absent", folder / "out", "no such file");
  refused(folder.path(), folder / "out", "not a regular file");
  refused(folder / "same", folder / "same",
          "--out " + (folder / "same").string() + ": is the file of --in");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  refused(folder / "in", folder / "pipe", "is a device or a pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
  refused(folder / "in", "", "the name of an output file is empty");
  refused(folder / "in", folder / "no" / "out", "no such directory");
  refused(folder / "in", folder.path(), "is a directory");
  EXPECT_EQ(read_file(folder / "same"), read_file(folder / "in"));
  std::filesystem::resize_file(folder / "same", 100);
  refused(folder / "same", folder / "out", "truncated");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace rivulet
