// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Typed access to the bytes of a Tensor; included by safetensors.h. Hosts are little-endian.

#include <bit>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace rivulet {

static_assert(std::endian::native == std::endian::little);

template <typename T>
std::vector<T> elements_of(const Tensor& tensor) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (sizeof(T) != dtype_bytes(tensor.dtype)) {
    throw std::invalid_argument("elements_of: element size differs from the dtype");
  }
  std::vector<T> elements(tensor.bytes.size() / sizeof(T));
  if (!elements.empty()) std::memcpy(elements.data(), tensor.bytes.data(), tensor.bytes.size());
  return elements;
}

template <typename T>
Tensor make_tensor(Dtype dtype, std::vector<size_t> shape, std::span<const T> elements) {
  static_assert(std::is_trivially_copyable_v<T>);
  Tensor tensor{dtype, std::move(shape), std::vector<uint8_t>(elements.size_bytes())};
  if (sizeof(T) != dtype_bytes(dtype) || tensor.elements() != elements.size()) {
    throw std::invalid_argument("make_tensor: dtype or shape do not fit the elements");
  }
  if (!elements.empty()) {
    std::memcpy(tensor.bytes.data(), elements.data(), elements.size_bytes());
  }
  return tensor;
}

}  // namespace rivulet
