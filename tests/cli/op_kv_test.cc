// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// `op kv-basis` and `op kv-encode`: entries are rebuilt from what they wrote, and what they refuse.

#include <fmt/format.h>
#include <gtest/gtest.h>

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
  x[kLanes + 3] = kBf16CanonicalNan;
  refused("kv-basis", entries_of(x), {}, "tensor 'x': element [1,3] is nan");
}

}  // namespace
}  // namespace rivulet
