// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/safetensors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "sw_model/workload/file.h"
#include "sw_model/workload/input_error.h"
#include "tb/random.h"
#include "tests/numerics/compared.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

std::vector<uint8_t> file_of(const std::string& header, size_t data_bytes, size_t length) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  bytes += header + std::string(data_bytes, 'd');
  return {bytes.begin(), bytes.end()};
}

std::vector<uint8_t> file_of(const std::string& header, size_t data_bytes) {
  return file_of(header, data_bytes, header.size());
}

// The message of the InputError that parsing throws; empty if it throws none.
std::string defect_of(const std::vector<uint8_t>& bytes) {
  try {
    parse_safetensors(bytes, "f.safetensors");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return fmt::format(R"({{"dtype":"{}","shape":{},"data_offsets":{}}})", dtype, shape, offsets);
}

TensorFile example() {
  TensorFile file;
  const std::vector<float> floats{1.5F, -2.0F, 3.25F, 0.0F, -0.0F, 1e30F};
  const std::vector<int8_t> codes{-128, 127, 0};
  const std::vector<uint8_t> nothing;
  file.tensors["x"] = make_tensor<float>(Dtype::kF32, {2, 3}, floats);
  file.tensors["codes"] = make_tensor<int8_t>(Dtype::kI8, {3}, codes);
  file.tensors["none"] = make_tensor<uint8_t>(Dtype::kU8, {0, 4}, nothing);
  file.tensors["scalar"] = make_tensor<float>(Dtype::kF32, {}, std::span(floats).first(1));
  file.metadata["rivulet"] = R"({"cycles": 12})";
  return file;
}

TEST(Safetensors, RoundTripKeepsEverything) {
  const TensorFile file = example();
  const TensorFile again = parse_safetensors(format_safetensors(file), "f");
  ASSERT_EQ(again.tensors.size(), file.tensors.size());
  for (const auto& [name, tensor] : file.tensors) {
    EXPECT_EQ(again.at(name).dtype, tensor.dtype) << name;
    EXPECT_EQ(again.at(name).shape, tensor.shape) << name;
    EXPECT_EQ(again.at(name).bytes, tensor.bytes) << name;
  }
  EXPECT_EQ(again.metadata, file.metadata);
  EXPECT_EQ(elements_of<int8_t>(again.at("codes")), (std::vector<int8_t>{-128, 127, 0}));
  EXPECT_THROW(elements_of<float>(again.at("codes")), std::invalid_argument);
}

TEST(Safetensors, DataStartsAtAMultipleOfEight) {
  uint64_t length = 0;
  const std::vector<uint8_t> bytes = format_safetensors(example());
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
}

TEST(Safetensors, DefectsAreNamed) {
  struct Case {
    const char* expected;
    std::vector<uint8_t> bytes;
  };
  const std::string two = entry("I8", "[2]", "[0,2]");
  const std::vector<Case> cases{
      {"at least 8 are needed", {1, 2, 3}},
      {"truncated: header of 100 bytes", file_of("{}", 0, 100)},
      {"at most 100000000 are allowed", file_of("{}", 0, size_t{1} << 40)},
      {"at most 100000000 are allowed", file_of("{}", 0, ~size_t{0})},
      {"not valid JSON", file_of(R"({"a":)", 0)},
      {"not valid JSON", file_of("", 0)},
      {"not valid JSON", file_of("{} x", 0)},
      {"not a JSON object", file_of("[]", 0)},
      {"header:1:40: key 'shape' occurs twice",
       file_of(R"({"a":{"dtype":"I8", "shape":[2],       "shape":[1],"data_offsets":[0,1]}})", 1)},
      {"nested too deeply", file_of(std::string(50, '[') + std::string(50, ']'), 0)},
      {"key 'a' occurs twice", file_of(R"({"a":)" + two + R"(,"a":)" + two + "}", 2)},
      {"'a': its entry is not an object", file_of(R"({"a":3})", 0)},
      {"'a': dtype 'F8' is not supported",
       file_of(R"({"a":)" + entry("F8", "[1]", "[0,1]") + "}", 1)},
      {"'dtype' is missing", file_of(R"({"a":{"shape":[1],"data_offsets":[0,1]}})", 1)},
      {"'shape' is missing", file_of(R"({"a":{"dtype":"I8","data_offsets":[0,1]}})", 1)},
      {"'data_offsets' is missing", file_of(R"({"a":{"dtype":"I8","shape":[1]}})", 1)},
      {"unknown key 'x'",
       file_of(R"({"a":{"x":1,"dtype":"I8","shape":[1],"data_offsets":[0,1]}})", 1)},
      {"non-negative integers", file_of(R"({"a":)" + entry("I8", "[-1]", "[0,1]") + "}", 1)},
      {"non-negative integers", file_of(R"({"a":)" + entry("I8", "[1.5]", "[0,1]") + "}", 1)},
      {"does not hold two numbers", file_of(R"({"a":)" + entry("I8", "[1]", "[0]") + "}", 1)},
      {"leave the 2 bytes of data", file_of(R"({"a":)" + entry("I8", "[3]", "[0,3]") + "}", 2)},
      {"leave the 2 bytes of data", file_of(R"({"a":)" + entry("I8", "[1]", "[2,1]") + "}", 2)},
      {"needs 8 bytes, data_offsets hold 2",
       file_of(R"({"a":)" + entry("F32", "[2]", "[0,2]") + "}", 2)},
      {"overflows",
       file_of(R"({"a":)" + entry("F64", "[4294967296,4294967296]", "[0,2]") + "}", 2)},
      {"overlaps", file_of(R"({"a":)" + two + R"(,"b":)" + entry("I8", "[2]", "[1,3]") + "}", 3)},
      {"1 unused bytes before",
       file_of(R"({"a":)" + two + R"(,"b":)" + entry("I8", "[2]", "[3,5]") + "}", 5)},
      {"3 bytes after the last tensor", file_of(R"({"a":)" + two + "}", 5)},
      {"__metadata__ is not an object", file_of(R"({"__metadata__":3})", 0)},
      {"__metadata__ 'k' is not a string", file_of(R"({"__metadata__":{"k":3}})", 0)},
  };
  Compared compared("safetensors defects");
  for (const Case& defect : cases) {
    const std::string message = defect_of(defect.bytes);
    compared.holds(message.find(defect.expected) != std::string::npos, [&] {
      return fmt::format("expected a message with \"{}\", got \"{}\"", defect.expected, message);
    });
  }
  compared.done(cases.size());
}

TEST(Safetensors, EveryTruncationIsRefused) {
  const std::vector<uint8_t> whole = format_safetensors(example());
  Compared compared("safetensors truncations");
  for (size_t size = 0; size < whole.size(); ++size) {
    compared.holds(
        !defect_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}).empty(),
        [&] { return fmt::format("a file cut to {} bytes was accepted", size); });
  }
  compared.done(whole.size());
}

// Any damage gives a clean error or a file that is consistent, never a crash or another exception.
TEST(Safetensors, DamagedHeadersNeverEscape) {
  constexpr size_t kTries = 20000;
  const uint64_t seed = test_seed();
  Random random(seed);
  const std::vector<uint8_t> whole = format_safetensors(example());
  Compared compared("damaged safetensors files", seed);
  size_t refused = 0;
  for (size_t i = 0; i < kTries; ++i) {
    std::vector<uint8_t> bytes = whole;
    for (uint64_t flips = 1 + random.below(4); flips != 0; --flips) {
      bytes[random.below(bytes.size())] = static_cast<uint8_t>(random.next());
    }
    bool clean = true;
    try {
      for (const auto& [name, tensor] : parse_safetensors(bytes, "f").tensors) {
        clean = clean && tensor.bytes.size() == tensor.elements() * dtype_bytes(tensor.dtype);
      }
    } catch (const InputError&) {
      ++refused;
    } catch (const std::exception& error) {
      clean = false;
    }
    compared.holds(clean, [&] { return fmt::format("try {}: escaped", i); });
  }
  compared.done(kTries);
  EXPECT_GT(refused, kTries / 2) << "the damage is too weak to test anything";
}

TEST(Safetensors, MissingTensorListsTheOthers) {
  try {
    example().at("y");
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("codes, none, scalar, x"), std::string::npos);
  }
}

TEST(Safetensors, FailedWriteLeavesNothing) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_safetensors(folder / "absent" / "f.safetensors", example()), InputError);
  EXPECT_THROW(write_safetensors(folder.path(), example()), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_THROW(read_safetensors(folder / "f"), InputError);
  EXPECT_THROW(read_safetensors(folder.path()), InputError);
}

TEST(Safetensors, WriteReplacesInOneStep) {
  const TemporaryFolder folder;
  write_safetensors(folder / "f", example());
  write_safetensors(folder / "f", TensorFile{});
  EXPECT_TRUE(read_safetensors(folder / "f").tensors.empty());
  const auto files = std::distance(std::filesystem::directory_iterator(folder.path()), {});
  EXPECT_EQ(files, 1);
}

}  // namespace
}  // namespace rivulet
