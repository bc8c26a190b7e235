// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_product.h"

#include <fmt/format.h>

#include <algorithm>
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

void check_segments(const TileProduct& product) {
  if (product.segments.empty()) return;
  size_t columns = 0;
  for (const ColumnSegment& segment : product.segments) {
    if (segment.columns == 0) throw std::invalid_argument("a segment has no columns");
    check_view(segment.read.view);
    columns += segment.columns;
  }
  if (columns != product.shape.n) {
    throw std::invalid_argument(
        fmt::format("the segments have {} columns, the product has {}", columns, product.shape.n));
  }
}

void check_lane_groups(const TileProduct& product) {
  if (product.lane_groups.empty()) return;
  if (!product.transpose || !product.segments.empty()) {
    throw std::invalid_argument(
        "lanes can be gathered only where codes are stored along the outputs, and without "
        "segments");
  }
  std::vector<bool> used(product.shape.k);
  for (const LaneGroup& group : product.lane_groups) {
    if (group.lanes.empty() || group.lanes.size() > product.shape.group) {
      throw std::invalid_argument(fmt::format("a group has {} lanes, it must have 1 to {}",
                                              group.lanes.size(), product.shape.group));
    }
    for (const size_t lane : group.lanes) {
      if (lane >= product.shape.k) {
        throw std::invalid_argument(fmt::format("lane {} of {}", lane, product.shape.k));
      }
      if (used[lane]) throw std::invalid_argument(fmt::format("lane {} is in two groups", lane));
      used[lane] = true;
    }
    if (group.scale >= product.shape.groups()) {
      throw std::invalid_argument(
          fmt::format("scale {} of {} of a column", group.scale, product.shape.groups()));
    }
    if (group.read.tier == Tier::kQ0) {
      throw std::invalid_argument("a group of lanes at q0 is left out of the list");
    }
    check_view(group.read.view);
  }
}

}  // namespace

std::vector<ColumnSegment> TileProduct::columns() const {
  if (!segments.empty()) return segments;
  return {{.columns = shape.n, .read = read}};
}

size_t TileProduct::lanes(size_t group) const {
  if (!lane_groups.empty()) return lane_groups[group].lanes.size();
  return std::min(shape.group, shape.k - group * shape.group);
}

size_t TileProduct::lane(size_t group, size_t i) const {
  return lane_groups.empty() ? group * shape.group + i : lane_groups[group].lanes[i];
}

void check_product(const TileProduct& product) {
  const GemmShape& shape = product.shape;
  check_shape(shape);
  check_size("x", product.x.size(), shape.m, shape.k);
  if (product.is_bf16()) {
    check_size("w", product.w.size(), shape.n, shape.k);
    if (!product.codes.empty() || !product.segments.empty() || !product.lane_groups.empty()) {
      throw std::invalid_argument("a product of BF16 values has no codes, segments or lane groups");
    }
    return;
  }
  check_size("codes", product.codes.size(), shape.n, shape.k);
  check_size("scale", product.scale.size(), shape.n, shape.groups());
  check_view(product.read.view);
  check_segments(product);
  check_lane_groups(product);
}

}  // namespace rivulet
