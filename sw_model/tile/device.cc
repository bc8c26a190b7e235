// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/device.h"

namespace rivulet {

GemmResult TileDevice::run(const TileProduct& product) {
  const size_t size = product.shape.m * product.shape.n;
  GemmResult result{.acc = std::vector<float>(size), .y = std::vector<Bf16>(size), .counts = {}};
  const Counters before = counters();
  wait(submit({.product = product, .acc = result.acc, .y = result.y}));
  const Counters after = counters();
  result.counts = {.special = after.special - before.special,
                   .saturated = after.saturated - before.saturated};
  return result;
}

GemmResult TileDevice::gemm(const GemmShape& shape, std::span<const Bf16> x,
                            std::span<const int8_t> codes, std::span<const Bf16> scale,
                            const ReadRequest& read) {
  return run({.shape = shape, .x = x, .codes = codes, .scale = scale, .read = read});
}

GemmResult TileDevice::gemm_bf16(const GemmShape& shape, std::span<const Bf16> x,
                                 std::span<const Bf16> w, Kind kind) {
  return run({.shape = shape, .x = x, .w = w, .read = {.kind = kind}});
}

}  // namespace rivulet
