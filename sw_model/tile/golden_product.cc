// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/golden_product.h"

#include <algorithm>
#include <array>

#include "sw_model/tile/fast_gemm.h"

namespace rivulet {

namespace {

// [k, n] as [n, k].
template <typename T>
std::vector<T> transposed(std::span<const T> values, size_t k, size_t n) {
  std::vector<T> result(values.size());
  for (size_t i = 0; i < k; ++i) {
    for (size_t j = 0; j < n; ++j) result[j * k + i] = values[i * n + j];
  }
  return result;
}

GemmResult empty_result(const GemmShape& shape) {
  return {.acc = std::vector<float>(shape.m * shape.n),
          .y = std::vector<Bf16>(shape.m * shape.n),
          .counts = {}};
}

// Every group of lanes at its own tier: as a product of whole groups, filled up with zeros.
GemmResult gathered_product(const TileProduct& product) {
  const size_t n = product.shape.n;
  const size_t groups = product.groups();
  GemmShape shape = product.shape;
  shape.k = groups * shape.group;
  std::vector<Bf16> x(shape.m * shape.k);
  std::vector<int8_t> codes(n * shape.k);
  std::vector<Bf16> scale(n * groups);
  for (size_t g = 0; g < groups; ++g) {
    for (size_t i = 0; i < product.lanes(g); ++i) {
      const size_t from = product.lane(g, i);
      const size_t to = g * shape.group + i;
      for (size_t m = 0; m < shape.m; ++m) {
        x[m * shape.k + to] = product.x[m * product.shape.k + from];
      }
      const std::vector<int8_t> unit =
          deliver(product.codes.subspan(from * n, n), product.lane_groups[g].read);
      for (size_t column = 0; column < n; ++column) codes[column * shape.k + to] = unit[column];
    }
    for (size_t column = 0; column < n; ++column) {
      scale[column * groups + g] =
          product.scale[column * product.shape.groups() + product.scale_group(g)];
    }
  }
  return fast_gemm(shape, x, codes, scale);
}

// Every segment of columns at its own tier; q0 makes no step.
GemmResult segmented_product(const TileProduct& product, std::span<const int8_t> codes) {
  const GemmShape& shape = product.shape;
  GemmResult result = empty_result(shape);
  size_t first = 0;
  for (const ColumnSegment& segment : product.columns()) {
    GemmShape part = shape;
    part.n = segment.columns;
    if (segment.read.tier != Tier::kQ0) {
      const GemmResult columns = fast_gemm(
          part, product.x, deliver(codes.subspan(first * shape.k, part.n * shape.k), segment.read),
          product.scale.subspan(first * shape.groups(), part.n * shape.groups()));
      for (size_t m = 0; m < shape.m; ++m) {
        std::copy_n(&columns.acc[m * part.n], part.n, &result.acc[m * shape.n + first]);
        std::copy_n(&columns.y[m * part.n], part.n, &result.y[m * shape.n + first]);
      }
      result.counts.special += columns.counts.special;
      result.counts.saturated += columns.counts.saturated;
    }
    first += part.n;
  }
  return result;
}

}  // namespace

std::vector<int8_t> deliver(std::span<const int8_t> codes, const ReadRequest& read) {
  if (read.tier == Tier::kQ8) return {codes.begin(), codes.end()};
  std::array<int8_t, 256> view{};
  for (int code = -128; code <= 127; ++code) {
    view[static_cast<uint8_t>(code)] = view_code(static_cast<int8_t>(code), read.tier, read.view);
  }
  std::vector<int8_t> delivered(codes.size());
  std::transform(codes.begin(), codes.end(), delivered.begin(),
                 [&](int8_t code) { return view[static_cast<uint8_t>(code)]; });
  return delivered;
}

GemmResult golden_product(const TileProduct& product) {
  check_product(product);
  const GemmShape& shape = product.shape;
  if (product.is_bf16()) {
    if (!product.transpose) return fast_gemm_bf16(shape, product.x, product.w);
    return fast_gemm_bf16(shape, product.x, transposed(product.w, shape.k, shape.n));
  }
  if (!product.lane_groups.empty()) return gathered_product(product);
  if (!product.transpose) return segmented_product(product, product.codes);
  return segmented_product(product, transposed(product.codes, shape.k, shape.n));
}

Counters product_counters(const TileProduct& product) {
  const GemmShape& shape = product.shape;
  Counters counters;
  counters.jobs = 1;
  counters.activation_bytes = shape.m * shape.k * sizeof(Bf16);
  counters.output_bytes = shape.m * shape.n * sizeof(Bf16);
  for (const ColumnSegment& segment : product.columns()) {
    std::array<size_t, 4> lanes{};  // of one column, by stream
    for (size_t group = 0; group < product.groups(); ++group) {
      const ReadRequest& read = product.read_of(segment, group);
      if (!product.is_bf16() && read.tier == Tier::kQ0) continue;
      const Stream stream = product.is_bf16() ? Stream::kBf16 : stream_of(read.tier);
      lanes[static_cast<size_t>(stream)] += product.lanes(group);
      if (!product.is_bf16()) counters.scale_bytes += segment.columns * sizeof(Bf16);
    }
    const Kind kind =
        product.lane_groups.empty() ? segment.read.kind : product.lane_groups[0].read.kind;
    for (size_t stream = 0; stream < lanes.size(); ++stream) {
      const size_t codes = segment.columns * lanes[stream];
      const auto bits = 2 * static_cast<size_t>(slices(static_cast<Stream>(stream)));
      const size_t stored = product.is_bf16() ? codes * sizeof(Bf16) : codes;
      counters.macs[stream] += shape.m * codes;
      (kind == Kind::kKv ? counters.kv_bytes : counters.weight_bytes)[stream] +=
          (codes * bits + 7) / 8;
      counters.stored_bytes.of(kind) += stored;
      counters.fetched_bytes.of(kind) += stored;
    }
  }
  return counters;
}

}  // namespace rivulet
