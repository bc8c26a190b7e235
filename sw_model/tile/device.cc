// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/device.h"

#include <fmt/format.h>

#include <stdexcept>

namespace rivulet {

namespace {

void check_size(const char* operand, size_t size, size_t rows, size_t columns) {
  if (size != rows * columns) {
    throw std::invalid_argument(fmt::format("{} holds {} elements, [{},{}] needs {}", operand, size,
                                            rows, columns, rows * columns));
  }
}

void check_shape(const GemmShape& shape) {
  if (shape.m == 0 || shape.n == 0 || shape.k == 0 || shape.group == 0) {
    throw std::invalid_argument(fmt::format("m {}, n {}, k {} and group {} must be at least 1",
                                            shape.m, shape.n, shape.k, shape.group));
  }
  if (shape.align_w < kMinAlignWidth || shape.align_w > kMaxAlignWidth) {
    throw std::invalid_argument(
        fmt::format("align_w {} is outside {}..{}", shape.align_w, kMinAlignWidth, kMaxAlignWidth));
  }
}

}  // namespace

void check_job(const GemmShape& shape, std::span<const Bf16> x, std::span<const int8_t> codes,
               std::span<const Bf16> scale, const ReadRequest& read) {
  check_shape(shape);
  check_size("x", x.size(), shape.m, shape.k);
  check_size("codes", codes.size(), shape.n, shape.k);
  check_size("scale", scale.size(), shape.n, shape.groups());
  check_view(read.view);
}

void check_job(const GemmShape& shape, std::span<const Bf16> x, std::span<const Bf16> w) {
  check_shape(shape);
  check_size("x", x.size(), shape.m, shape.k);
  check_size("w", w.size(), shape.n, shape.k);
}

}  // namespace rivulet
