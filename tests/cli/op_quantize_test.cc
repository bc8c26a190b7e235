// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// `op quantize` against exact rationals, from weights to the product of the cycle model, and what
// it refuses.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "sw_model/numerics/bf16.h"
#include "tests/cli/command.h"
#include "tests/cli/op_inputs.h"
#include "tests/numerics/compared.h"
#include "tests/numerics/rational_oracle.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

TensorFile weights_of(const std::vector<float>& weights, size_t rows) {
  TensorFile file;
  file.tensors["w"] = make_tensor<float>(Dtype::kF32, {rows, weights.size() / rows}, weights);
  return file;
}

// Weights of both signs whose groups have different magnitudes, one of them zeros only.
std::vector<float> random_weights(size_t rows, size_t lanes, size_t group, Random& random) {
  std::vector<float> weights(rows * lanes);
  for (size_t i = 0; i < weights.size(); ++i) {
    const size_t lane_group = i % lanes / group;
    const double magnitude = std::ldexp(1.0, static_cast<int>(4 * lane_group) - 6);
    weights[i] = i / lanes == 1 && lane_group == 0
                     ? 0.0F
                     : static_cast<float>(magnitude * (2 * random.unit() - 1));
  }
  return weights;
}

TEST(OpQuantize, AgainstExactRationals) {
  const TemporaryFolder folder;
  const uint64_t seed = test_seed();
  Random random(seed);
  Compared compared("codes and scales of op quantize", seed);
  constexpr size_t kRows = 5, kLanes = 70, kGroup = 32;
  const std::vector<float> weights = random_weights(kRows, kLanes, kGroup, random);
  write_safetensors(folder / "in", weights_of(weights, kRows));
  const Outcome outcome =
      run_rivulet(op_arguments("quantize", folder / "in", folder / "out", {"group=32"}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const TensorFile output = read_safetensors(folder / "out");
  const auto codes = elements_of<int8_t>(output.at("codes"));
  const auto scales = elements_of<uint16_t>(output.at("scale"));
  ASSERT_EQ(output.at("codes").shape, (std::vector<size_t>{kRows, kLanes}));
  ASSERT_EQ(output.at("scale").shape, (std::vector<size_t>{kRows, 3}));
  for (size_t row = 0; row < kRows; ++row) {
    for (size_t g = 0; g < 3; ++g) {
      const size_t first = g * kGroup, last = std::min(first + kGroup, kLanes);
      std::vector<uint32_t> bits;
      for (size_t i = first; i < last; ++i) {
        bits.push_back(std::bit_cast<uint32_t>(weights[row * kLanes + i]));
      }
      const oracle::Quantized expected = oracle::quantize(bits);
      const auto where = [&] { return fmt::format("row {}, group {}", row, g); };
      compared.equal(expected.scale, uint32_t{scales[row * 3 + g]}, where);
      for (size_t i = first; i < last; ++i) {
        compared.equal(expected.codes[i - first], int64_t{codes[row * kLanes + i]}, where);
      }
    }
  }
  compared.done(kRows * (kLanes + 3));
}

// The outputs are the inputs of gemm; read as stored codes they give the product of the weights to
// within half a step of each code.
TEST(OpQuantize, WeightsToProduct) {
  const TemporaryFolder folder;
  Random random(test_seed());
  constexpr size_t kM = 3, kN = 6, kK = 64, kGroup = 32;
  const std::vector<float> weights = random_weights(kN, kK, kGroup, random);
  write_safetensors(folder / "w", weights_of(weights, kN));
  ASSERT_EQ(
      run_rivulet(op_arguments("quantize", folder / "w", folder / "q", {"group=32"})).exit_code, 0);
  TensorFile product = read_safetensors(folder / "q");
  std::vector<Bf16> x(kM * kK);
  for (Bf16& value : x) value = bf16_from_float(static_cast<float>(2 * random.unit() - 1));
  product.tensors["x"] = make_tensor<Bf16>(Dtype::kBf16, {kM, kK}, x);
  product.metadata.clear();
  write_safetensors(folder / "in", product);
  std::vector<std::string> words =
      op_arguments("gemm", folder / "in", folder / "out", {"group=32", "stored=1", "config=unit"});
  words.insert(words.end(), {"--target", "cycle"});
  const Outcome outcome = run_rivulet(words);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto acc = elements_of<float>(read_safetensors(folder / "out").at("acc"));
  const auto scales = elements_of<Bf16>(product.at("scale"));
  Compared compared("products of quantized weights");
  for (size_t m = 0; m < kM; ++m) {
    for (size_t n = 0; n < kN; ++n) {
      double exact = 0, bound = 0;
      for (size_t k = 0; k < kK; ++k) {
        const double value = to_float(x[m * kK + k]);
        const double scale = to_float(scales[n * 2 + k / kGroup]);
        exact += value * weights[n * kK + k];
        // Half a step, and what rounding the scale takes from code 127; the rest is far smaller.
        bound += std::abs(value) * scale * (0.5 + 127.0 / 256) * 1.01;
      }
      compared.holds(std::abs(acc[m * kN + n] - exact) <= bound, [&] {
        return fmt::format("[{},{}]: {} is not within {} of {}", m, n, acc[m * kN + n], bound,
                           exact);
      });
    }
  }
  compared.done(kM * kN);
}

TEST(OpQuantize, WhatItRefuses) {
  const TemporaryFolder folder;
  const auto refused = [&](const TensorFile& input, const std::vector<std::string>& more,
                           const char* message) {
    write_safetensors(folder / "in", input);
    std::vector<std::string> words = op_arguments("quantize", folder / "in", folder / "out", {});
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_rivulet(words);
    EXPECT_EQ(outcome.exit_code, 2) << message;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "out")) << message;
  };
  const float infinite = std::numeric_limits<float>::infinity();
  refused(weights_of({1, 2, 3, infinite}, 2), {}, "tensor 'w': element [1,1] is inf");
  refused(weights_of({1, 2}, 1), {"--target", "rtl"}, "quantize is done on the host");
  refused(weights_of({1, 2}, 1), {"--set", "group=0"}, "key 'group': '0' is not");
}

}  // namespace
}  // namespace rivulet
