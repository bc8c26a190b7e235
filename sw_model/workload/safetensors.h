// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Reader and writer of the safetensors format.
//
// A file is: 8 bytes little-endian length of the header; the header, a JSON object that maps each
// tensor name to {dtype, shape, data_offsets}, with an optional "__metadata__" of strings; the
// data, row-major and little-endian, which the offsets must cover without gap or overlap.
// Every violation throws InputError that names the file, the tensor and the defect.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet {

enum class Dtype { kBool, kU8, kI8, kU16, kI16, kF16, kBf16, kU32, kI32, kF32, kU64, kI64, kF64 };

std::string_view dtype_name(Dtype dtype);  // "BF16", as in the file
size_t dtype_bytes(Dtype dtype);

struct Tensor {
  Dtype dtype = Dtype::kU8;
  std::vector<size_t> shape;
  std::vector<uint8_t> bytes;  // elements() * dtype_bytes(dtype)

  size_t elements() const;
  std::string shape_text() const;  // "[2,3]"
};

struct TensorFile {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;

  // Throws InputError with the names that exist.
  const Tensor& at(const std::string& name) const;
};

constexpr size_t kMaxHeaderBytes = 100'000'000;

// `name` stands for the file in messages.
TensorFile parse_safetensors(std::span<const uint8_t> file, const std::string& name);
TensorFile read_safetensors(const std::filesystem::path& path);

std::vector<uint8_t> format_safetensors(const TensorFile& file);
// Through a temporary file and a rename: never leaves a partial file.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

// Elements of a tensor as T, which must have the size of the dtype.
template <typename T>
std::vector<T> elements_of(const Tensor& tensor);
template <typename T>
Tensor make_tensor(Dtype dtype, std::vector<size_t> shape, std::span<const T> elements);

}  // namespace rivulet

#include "sw_model/workload/safetensors_elements.h"
