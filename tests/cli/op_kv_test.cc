// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// `op kv-basis`, `kv-encode` and `kv-rank`: entries are rebuilt from what they wrote, ranks are
// counted, and what they refuse.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sw_model/numerics/bf16.h"
#include "tests/cli/command.h"
#include "tests/cli/op_inputs.h"
#include "tests/numerics/compared.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

constexpr size_t kEntries = 130, kLanes = 64;

TensorFile entries_of(const std::vector<Bf16>& x) {
  TensorFile file;
  file.tensors["x"] = make_tensor<Bf16>(Dtype::kBf16, {x.size() / kLanes, kLanes}, x);
  return file;
}

double real(Bf16 value) { return static_cast<double>(to_float(value)); }

TEST(OpKv, BasisThenEntries) {
  const TemporaryFolder folder;
  Random random(test_seed());
  std::vector<Bf16> x(kEntries * kLanes);
  for (Bf16& element : x) element = bf16_from_double(random.unit() - 0.3);
  TensorFile input = entries_of(x);
  write_safetensors(folder / "x", input);
  const Outcome basis = run_rivulet(op_arguments("kv-basis", folder / "x", folder / "u", {}));
  ASSERT_EQ(basis.exit_code, 0) << basis.err;
  const TensorFile fitted = read_safetensors(folder / "u");
  input.tensors["u"] = fitted.at("u");
  write_safetensors(folder / "xu", input);
  const Outcome encode = run_rivulet(op_arguments("kv-encode", folder / "xu", folder / "e", {}));
  ASSERT_EQ(encode.exit_code, 0) << encode.err;
  const TensorFile output = read_safetensors(folder / "e");
  const auto u = elements_of<Bf16>(fitted.at("u"));
  const auto codes = elements_of<int8_t>(output.at("codes"));
  const auto sigma = elements_of<Bf16>(output.at("sigma"));
  const auto c = elements_of<Bf16>(output.at("c"));
  Compared compared("entries of op kv-encode", test_seed());
  for (size_t i = 0; i < kEntries * kLanes; ++i) {
    const size_t row = i / kLanes, lane = i % kLanes;
    const double base =
        real(c[2 * row]) * real(u[2 * lane]) + real(c[2 * row + 1]) * real(u[2 * lane + 1]);
    const double scale = real(sigma[row]);
    compared.holds(std::abs(base + scale * codes[i] - real(x[i])) <= scale * 1.01,
                   [&] { return fmt::format("entry {} lane {}", row, lane); });
  }
  compared.done(kEntries * kLanes);
}

TEST(OpKv, RankCountsWhatStandsBefore) {
  const TemporaryFolder folder;
  Random random(test_seed());
  constexpr size_t kScores = 1021;
  std::vector<float> scores(kScores);
  for (float& score : scores) score = static_cast<float>(random.below(200)) - 100;  // many ties
  scores[5] = scores[900] = std::nanf("");
  TensorFile file;
  file.tensors["scores"] = make_tensor<float>(Dtype::kF32, {kScores}, scores);
  write_safetensors(folder / "s", file);
  Compared compared("tiers of op kv-rank", test_seed());
  using Cuts = std::array<size_t, 3>;
  const std::vector<std::pair<std::vector<std::string>, Cuts>> cases{
      {{}, {330, 770, 962}}, {{"cuts=0,32768,65536"}, {0, 511, 1021}}};
  for (const auto& [settings, cuts] : cases) {
    const Outcome ranked =
        run_rivulet(op_arguments("kv-rank", folder / "s", folder / "t", settings));
    ASSERT_EQ(ranked.exit_code, 0) << ranked.err;
    const TensorFile output = read_safetensors(folder / "t");
    EXPECT_EQ(elements_of<uint32_t>(output.at("nan_scores")), std::vector<uint32_t>{2});
    const auto tiers = elements_of<uint8_t>(output.at("tiers"));
    ASSERT_EQ(tiers.size(), kScores);
    for (size_t i = 0; i < kScores; ++i) {
      const auto value = [&](size_t at) { return std::isnan(scores[at]) ? -1e9F : scores[at]; };
      size_t rank = 0;
      for (size_t j = 0; j < kScores; ++j) {
        rank += value(j) > value(i) || (value(j) == value(i) && j < i) ? 1 : 0;
      }
      const auto passed = std::count_if(cuts.begin(), cuts.end(),
                                        [rank = rank](size_t cut) { return rank >= cut; });
      compared.equal(3 - static_cast<int>(passed), static_cast<int>(tiers[i]),
                     [&] { return fmt::format("entry {}", i); });
    }
  }
  compared.done(2 * kScores);
}

TEST(OpKv, WhatTheyRefuse) {
  const TemporaryFolder folder;
  const auto refused = [&](const char* name, const TensorFile& input,
                           const std::vector<std::string>& more, const char* message) {
    write_safetensors(folder / "in", input);
    std::vector<std::string> words = op_arguments(name, folder / "in", folder / "out", {});
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_rivulet(words);
    EXPECT_EQ(outcome.exit_code, 2) << message;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "out")) << message;
  };
  std::vector<Bf16> x(128 * kLanes, Bf16{0x3F80});
  TensorFile wide = entries_of(x);
  wide.tensors["u"] = make_tensor<Bf16>(Dtype::kBf16, {kLanes, 3}, std::vector<Bf16>(3 * kLanes));
  refused("kv-encode", wide, {}, "tensor 'u': shape [64,3], expected [d,2]");
  refused("kv-basis", entries_of(x), {"--target", "rtl"}, "kv-basis has no target");
  refused("kv-basis", entries_of(x), {"--set", "tokens=129"}, "128 entries, the basis is fitted");
  TensorFile ranked;
  ranked.tensors["scores"] = make_tensor<float>(Dtype::kF32, {8193}, std::vector<float>(8193));
  refused("kv-rank", ranked, {}, "at most 8192 entries, not 8193");
  ranked.tensors["scores"] = make_tensor<float>(Dtype::kF32, {2}, std::vector<float>(2));
  refused("kv-rank", ranked, {"--target", "rtl"}, "kv-rank has no target");
  refused("kv-rank", ranked, {"--set", "cuts=3,2,1"}, "three that do not fall");
  for (const char* cuts : {"cuts=1,2", "cuts=1,2,3,4", "cuts=", "cuts=1,,3", "cuts=1,2,65537"}) {
    refused("kv-rank", ranked, {"--set", cuts}, "is not three numbers");
  }
  x[kLanes + 3] = kBf16CanonicalNan;
  refused("kv-basis", entries_of(x), {}, "tensor 'x': element [1,3] is nan");
}

}  // namespace
}  // namespace rivulet
