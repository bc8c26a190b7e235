// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A segment of the replay buffer: segment_t, source_e and fill_seg_t of rtl/rivulet_pkg.sv.

#include <cstddef>
#include <cstdint>

#include "sw_model/interfaces/stream.h"
#include "sw_model/interfaces/wire/fill_seg.h"

namespace rivulet {

// What the replay buffer tells of a segment.
struct Segment {
  Stream stream = Stream::kQ8;
  bool empty = false;  // q0: partial sums are carried, nothing is streamed
  size_t lanes = 0;    // that are streamed per unit
  size_t columns = 0;

  friend bool operator==(const Segment&, const Segment&) = default;
};

// Where the beats of a segment come from: kDirect, kTransposed or kBf16.
using BeatSource = wire::Source;

// A segment as it is filled into the replay buffer.
struct FillSegment {
  Segment segment;
  BeatSource source = BeatSource::kDirect;
  int align_w = 16;  // of BF16 values

  friend bool operator==(const FillSegment&, const FillSegment&) = default;
};

constexpr wire::Segment to_wire(const Segment& segment) {
  return {.stream = segment.stream,
          .empty = segment.empty,
          .lanes = static_cast<uint8_t>(segment.lanes),
          .columns = static_cast<uint16_t>(segment.columns)};
}
constexpr Segment from_wire(const wire::Segment& segment) {
  return {.stream = segment.stream,
          .empty = segment.empty,
          .lanes = segment.lanes,
          .columns = segment.columns};
}

constexpr wire::FillSeg to_wire(const FillSegment& fill) {
  return {.segment = to_wire(fill.segment),
          .source = fill.source,
          .align_w = static_cast<uint8_t>(fill.align_w)};
}
constexpr FillSegment from_wire(const wire::FillSeg& fill) {
  return {.segment = from_wire(fill.segment), .source = fill.source, .align_w = fill.align_w};
}

}  // namespace rivulet
