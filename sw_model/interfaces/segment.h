// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A segment of the replay buffer: segment_t, source_e and fill_seg_t of rtl/rivulet_pkg.sv.

#include <cstddef>
#include <cstdint>

#include "sw_model/interfaces/stream.h"

namespace rivulet {

// What the replay buffer tells of a segment.
struct Segment {
  Stream stream = Stream::kQ8;
  bool empty = false;  // q0: partial sums are carried, nothing is streamed
  size_t lanes = 0;    // that are streamed per unit
  size_t columns = 0;

  friend bool operator==(const Segment&, const Segment&) = default;
};

// Where the beats of a segment come from; the value is the code of source_e.
enum class BeatSource : uint8_t {
  kDirect = 0,      // codes in dot order, Lanes bytes a beat
  kTransposed = 1,  // codes from the transposing buffer, SideLanes bytes a beat
  kBf16 = 2,        // BF16 values as byte slices, SideLanes bytes a beat
};

// A segment as it is filled into the replay buffer.
struct FillSegment {
  Segment segment;
  BeatSource source = BeatSource::kDirect;
  int align_w = 16;  // of BF16 values
};

}  // namespace rivulet
