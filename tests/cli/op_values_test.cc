// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The files of `rivulet op` against exact rationals and formulas written out once more.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sw_model/numerics/bf16.h"
#include "sw_model/numerics/fp32.h"
#include "tests/cli/command.h"
#include "tests/cli/op_inputs.h"
#include "tests/numerics/compared.h"
#include "tests/numerics/rational_oracle.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

using oracle::kBf16;
using oracle::kFp32;

// The rule of docs/numerics.md §4 to §8 on exact rationals, for one output.
uint32_t expected_acc(const TensorFile& file, const Problem& p, size_t m, size_t n) {
  const auto x = elements_of<uint16_t>(file.at("x"));
  const bool aligned_stream = p.bits == 16;
  const size_t groups = (p.k + p.group - 1) / p.group;
  uint32_t acc = 0;
  for (size_t g = 0; g < groups; ++g) {
    const size_t first = g * p.group, last = std::min(first + p.group, p.k);
    const auto lanes_of = [&](const std::vector<uint16_t>& values, size_t row) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * p.k);
      return oracle::align(std::vector<uint32_t>(begin + static_cast<std::ptrdiff_t>(first),
                                                 begin + static_cast<std::ptrdiff_t>(last)),
                           p.align_w);
    };
    const oracle::Aligned lanes = lanes_of(x, m);
    mpz_class partial = 0;
    mpq_class factor = oracle::power_of_two(lanes.exponent - 127 - p.align_w + 2);
    if (aligned_stream) {
      const oracle::Aligned stream = lanes_of(elements_of<uint16_t>(file.at("w")), n);
      factor *= oracle::power_of_two(stream.exponent - 127 - p.align_w + 2);
      for (size_t i = 0; i < last - first; ++i) {
        partial += mpz_class(lanes.values[i]) * mpz_class(stream.values[i]);
      }
    } else {
      factor *= oracle::value_of(kBf16, elements_of<uint16_t>(file.at("scale"))[n * groups + g]);
      const auto codes = elements_of<int8_t>(file.at("codes"));
      for (size_t i = 0; i < last - first; ++i) {
        partial += mpz_class(lanes.values[i]) * int{codes[n * p.k + first + i]};
      }
    }
    if ((acc & 0x7F800000) == 0x7F800000) continue;  // Inf stays
    const mpq_class addend = mpq_class(partial) * factor;
    acc = addend == 0 && (acc & 0x7FFFFFFF) == 0 ? 0
          : addend == 0                          ? acc
                        : oracle::round(kFp32, oracle::value_of(kFp32, acc) + addend);
  }
  return acc;
}

TEST(Op, GemmAgainstExactRationals) {
  const uint64_t seed = test_seed();
  OpInputs inputs(seed);
  const std::vector<Problem> problems{{1, 1, 1, 128, 16, 8},   {3, 5, 130, 128, 16, 8},
                                      {2, 3, 257, 128, 12, 8}, {4, 7, 70, 32, 16, 4},
                                      {5, 2, 129, 128, 10, 4}, {3, 4, 300, 100, 9, 2},
                                      {2, 6, 33, 16, 16, 2},   {3, 5, 130, 128, 16, 16},
                                      {4, 3, 75, 32, 12, 16},  {1, 9, 20, 7, 9, 16}};
  Compared compared("outputs of op gemm and gemm-bf16", seed);
  uint64_t outputs = 0;
  for (const Problem& p : problems) {
    const TemporaryFolder folder;
    const TensorFile input = inputs.make(p);
    write_safetensors(folder / "in", input);
    std::vector<std::string> settings{fmt::format("group={}", p.group),
                                      fmt::format("align_w={}", p.align_w)};
    if (p.bits != 16) settings.push_back(fmt::format("tier={}", p.bits));
    const Outcome outcome = run_rivulet(
        op_arguments(p.bits == 16 ? "gemm-bf16" : "gemm", folder / "in", folder / "out", settings));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const TensorFile output = read_safetensors(folder / "out");
    EXPECT_EQ(output.at("acc").shape, (std::vector<size_t>{p.m, p.n}));
    const auto acc = elements_of<uint32_t>(output.at("acc"));
    const auto y = elements_of<uint16_t>(output.at("y"));
    for (size_t i = 0; i < p.m * p.n; ++i, ++outputs) {
      const auto describe = [&] {
        return fmt::format("m {} n {} k {} bits {}, output {}", p.m, p.n, p.k, p.bits, i);
      };
      const uint32_t expected = expected_acc(input, p, i / p.n, i % p.n);
      compared.equal(expected, acc[i], describe);
      compared.equal(bf16_from_float(fp32_from_bits(expected)).bits, y[i], describe);
    }
    const auto metadata = nlohmann::json::parse(output.metadata.at("rivulet"));
    EXPECT_EQ(metadata.at("macs").at(p.bits == 16 ? "bf16" : fmt::format("q{}", p.bits)),
              p.m * p.n * p.k);
    EXPECT_TRUE(metadata.contains("cycles") && metadata.contains("beats") &&
                metadata.contains("bytes") && metadata.contains("saturations") &&
                metadata.contains("flags"));
  }
  compared.done(2 * outputs);
  EXPECT_EQ(outputs, 1U + 15U + 6U + 28U + 10U + 12U + 12U + 15U + 12U + 9U);
}

// All 256 codes at every tier; views written out once more, packing by hand.
TEST(Op, ConvertAgainstTheFormulas) {
  const TemporaryFolder folder;
  std::vector<int8_t> codes;
  for (int code = -128; code <= 127; ++code) codes.push_back(static_cast<int8_t>(code));
  codes.push_back(-7);  // a partial last beat
  TensorFile input;
  input.tensors["codes"] = make_tensor<int8_t>(Dtype::kI8, {codes.size()}, codes);
  write_safetensors(folder / "in", input);
  const auto floor_shift = [](int value, int shift) {
    return static_cast<int>(std::floor(value / std::pow(2.0, shift)));
  };
  Compared compared("converted codes and beats");
  uint64_t expected_count = 0;
  for (const char* kind : {"kv", "ffn"}) {
    for (const int bits : {8, 4, 2, 0}) {
      const Outcome outcome =
          run_rivulet(op_arguments("convert", folder / "in", folder / "out",
                                   {fmt::format("kind={}", kind), fmt::format("tier={}", bits),
                                    "clamp=100", "shift=3", "theta_p=12", "theta_n=-13"}));
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      const TensorFile output = read_safetensors(folder / "out");
      const auto beats = elements_of<uint8_t>(output.at("beats"));
      EXPECT_EQ(beats.size(), (codes.size() * static_cast<size_t>(bits) + 63) / 64 * 8);
      if (bits == 0) {
        EXPECT_FALSE(output.tensors.contains("codes"));
        continue;
      }
      const auto delivered = elements_of<int8_t>(output.at("codes"));
      ASSERT_EQ(delivered.size(), codes.size());
      const int half = std::string(kind) == "ffn" ? 4 : 0;
      for (size_t i = 0; i < codes.size(); ++i) {
        const int z{codes[i]};
        int expected = z;
        if (bits == 4) {
          expected = std::clamp(floor_shift(std::clamp(z, -100, 100) + half, 3), -8, 7);
        } else if (bits == 2) {
          expected = z >= 12 ? 1 : z <= -13 ? -1 : 0;
        }
        const size_t bit = i * static_cast<size_t>(bits);
        const int mask = (1 << bits) - 1;
        const auto describe = [&] { return fmt::format("{} {} bits, code {}", kind, bits, z); };
        compared.equal(expected, int{delivered[i]}, describe);
        compared.equal(expected & mask, beats[bit / 8] >> bit % 8 & mask, describe);
        expected_count += 2;
      }
    }
  }
  compared.done(expected_count);
  EXPECT_EQ(expected_count, 2U * 2U * 3U * 257U);
}

TEST(Op, AllTargetsGiveTheSameFile) {
  const TemporaryFolder folder;
  OpInputs inputs(test_seed());
  const auto outputs_of = [&](const std::string& name, const std::string& target,
                              const std::vector<std::string>& settings) {
    std::vector<std::string> words = op_arguments(name, folder / "in", folder / "out", settings);
    words.insert(words.end(), {"--target", target, "--seed", "7"});
    const Outcome outcome = run_rivulet(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    TensorFile output = read_safetensors(folder / "out");
    const auto metadata = nlohmann::json::parse(output.metadata.at("rivulet"));
    EXPECT_EQ(metadata.at("cycles") > 0, target != "golden");
    EXPECT_EQ(metadata.at("values_compared") > 0, target != "golden");
    std::map<std::string, std::vector<uint8_t>> bytes;
    for (const auto& [tensor, value] : output.tensors) bytes[tensor] = value.bytes;
    return bytes;
  };
  const auto check = [&](const std::string& name, std::vector<std::string> settings) {
    settings.push_back("config=unit");
    const auto golden = outputs_of(name, "golden", settings);
    EXPECT_EQ(outputs_of(name, "cycle", settings), golden) << name;
    EXPECT_EQ(outputs_of(name, "rtl", settings), golden) << name;
    settings.insert(settings.end(), {"stall_in=0.3", "stall_out=0.4"});
    EXPECT_EQ(outputs_of(name, "rtl", settings), golden) << name << " with stalls";
  };
  for (const int bits : {8, 4, 2, 16}) {
    const Problem p{5, 23, 70, 32, 16, bits};
    write_safetensors(folder / "in", inputs.make(p));
    std::vector<std::string> settings{"group=32"};
    if (bits != 16) settings.push_back(fmt::format("tier={}", bits));
    check(bits == 16 ? "gemm-bf16" : "gemm", settings);
  }
  TensorFile codes;
  codes.tensors["codes"] =
      make_tensor<int8_t>(Dtype::kI8, {77}, std::vector<int8_t>(77, int8_t{-19}));
  write_safetensors(folder / "in", codes);
  for (const char* tier : {"tier=8", "tier=4", "tier=2", "tier=0"}) {
    check("convert", {tier, "kind=kv"});
  }
}

// An operand stored along the outputs, and stored codes that are read through a view, give what the
// plain operand gives.
TEST(Op, StoredAndTransposedOperands) {
  const TemporaryFolder folder;
  OpInputs inputs(test_seed());
  const auto turned = [](const Tensor& tensor) {
    const size_t rows = tensor.shape[0], columns = tensor.shape[1];
    const size_t size = tensor.bytes.size() / (rows * columns);
    Tensor result{tensor.dtype, {columns, rows}, tensor.bytes};
    for (size_t i = 0; i < rows * columns; ++i) {
      const size_t to = i % columns * rows + i / columns;
      std::copy_n(&tensor.bytes[i * size], size, &result.bytes[to * size]);
    }
    return result;
  };
  const auto outputs_of = [&](const std::string& name, const TensorFile& input,
                              std::vector<std::string> settings, const std::string& target) {
    write_safetensors(folder / "in", input);
    settings.insert(settings.end(), {"config=unit", "group=32"});
    std::vector<std::string> words = op_arguments(name, folder / "in", folder / "out", settings);
    words.insert(words.end(), {"--target", target});
    const Outcome outcome = run_rivulet(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const TensorFile output = read_safetensors(folder / "out");
    return std::pair(output.at("acc").bytes, output.at("y").bytes);
  };
  for (const std::string target : {"golden", "cycle"}) {
    const TensorFile values = inputs.make({4, 37, 70, 32, 16, 16});
    TensorFile other = values;
    other.tensors["w"] = turned(values.at("w"));
    EXPECT_EQ(outputs_of("gemm-bf16", other, {"transpose=1"}, target),
              outputs_of("gemm-bf16", values, {}, target));

    const TensorFile stored = inputs.make({4, 37, 70, 32, 16, 8});
    TensorFile delivered = stored;
    auto codes = elements_of<int8_t>(stored.at("codes"));
    for (int8_t& code : codes) {  // kv: cut off, not rounded
      code = static_cast<int8_t>(std::clamp<int>(std::clamp<int>(code, -99, 99) >> 3, -8, 7));
    }
    delivered.tensors["codes"] = make_tensor<int8_t>(Dtype::kI8, {37, 70}, codes);
    const auto expected = outputs_of("gemm", delivered, {"tier=4"}, target);
    const std::vector<std::string> view{"tier=4", "stored=1", "kind=kv", "clamp=99", "shift=3"};
    EXPECT_EQ(outputs_of("gemm", stored, view, target), expected);
    other = stored;
    other.tensors["codes"] = turned(stored.at("codes"));
    std::vector<std::string> both = view;
    both.push_back("transpose=1");
    EXPECT_EQ(outputs_of("gemm", other, both, target), expected);
    other.tensors["codes"] = turned(delivered.at("codes"));
    EXPECT_EQ(outputs_of("gemm", other, {"tier=4", "transpose=1"}, target), expected);
  }
}

TEST(Op, SpecialOperandsAreFlagged) {
  const TemporaryFolder folder;
  TensorFile input;
  input.tensors["x"] =
      make_tensor<uint16_t>(Dtype::kBf16, {2, 2}, std::vector<uint16_t>{0x3F80, 0x7F80, 1, 0x4000});
  input.tensors["codes"] = make_tensor<int8_t>(Dtype::kI8, {1, 2}, std::vector<int8_t>{1, 0});
  input.tensors["scale"] =
      make_tensor<uint16_t>(Dtype::kBf16, {1, 1}, std::vector<uint16_t>{0x3F80});
  write_safetensors(folder / "in", input);
  ASSERT_EQ(run_rivulet(op_arguments("gemm", folder / "in", folder / "out", {})).exit_code, 0);
  const TensorFile output = read_safetensors(folder / "out");
  EXPECT_EQ(elements_of<uint16_t>(output.at("y")), (std::vector<uint16_t>{0x7FC0, 0}));
  EXPECT_EQ(elements_of<uint32_t>(output.at("acc")), (std::vector<uint32_t>{0x7FC00000, 0}));
  EXPECT_EQ(nlohmann::json::parse(output.metadata.at("rivulet")).at("flags").at("special"), 1);
}

}  // namespace
}  // namespace rivulet
