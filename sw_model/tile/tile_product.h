// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// One matrix product, y = x times the stored operand, and where its operands are in memory.
//
// The operands belong to the caller. Codes are read through the converter; parts of them may be
// read in their own way: neighbouring columns (segments; at q0 a column is not read and stays +0),
// or groups of lanes, gathered in any order (lane_groups; a group that is not listed is not read).
// Arithmetic: docs/numerics.md §7 to §9.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/common/range.h"
#include "sw_model/converter/read_request.h"
#include "sw_model/numerics/bf16.h"
#include "sw_model/numerics/gemm.h"

namespace rivulet {

// Columns that are read in the same way. The number of codes of a request is not looked at.
struct ColumnSegment {
  size_t columns = 0;
  ReadRequest read = {};
};

// Lanes that stream as one group, in this order, under one exponent and one scale.
struct LaneGroup {
  std::vector<size_t> lanes;  // of x and of the stored operand, at most shape.group of them
  size_t scale = 0;           // its place among the groups() scales of a column
  ReadRequest read = {};      // not q0
};

struct TileProduct {
  GemmShape shape;
  std::span<const Bf16> x;                   // [m, k]
  std::span<const int8_t> codes = {};        // stored codes [n, k]; empty for BF16 values
  std::span<const Bf16> scale = {};          // [n, shape.groups()]; empty for BF16 values
  std::span<const Bf16> w = {};              // BF16 values [n, k]; empty for codes
  ReadRequest read = {};                     // of codes; of BF16 values only the kind is looked at
  bool transpose = false;                    // codes or w are stored along the outputs: [k, n]
  std::vector<ColumnSegment> segments = {};  // all columns, in order; empty: all as `read`
  std::vector<LaneGroup> lane_groups = {};   // of a transposed product of codes; empty: all of k

  bool is_bf16() const { return !w.empty(); }
  // The segments, also if there is only one.
  std::vector<ColumnSegment> columns() const;
  size_t groups() const { return lane_groups.empty() ? shape.groups() : lane_groups.size(); }
  size_t lanes(size_t group) const;
  size_t lane(size_t group, size_t i) const;
  size_t scale_group(size_t group) const {
    return lane_groups.empty() ? group : lane_groups[group].scale;
  }
  const ReadRequest& read_of(const ColumnSegment& segment, size_t group) const {
    return lane_groups.empty() ? segment.read : lane_groups[group].read;
  }
};

// Throws std::invalid_argument when operands, segments, lanes, align_w or a view do not fit.
void check_product(const TileProduct& product);

}  // namespace rivulet
