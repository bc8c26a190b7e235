// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What the replay buffer tells of a segment: segment_t of rtl/rivulet_pkg.sv.

#include <cstddef>

#include "sw_model/tile/stream.h"

namespace rivulet {

struct Segment {
  Stream stream = Stream::kQ8;
  bool empty = false;  // q0: partial sums are carried, nothing is streamed
  size_t lanes = 0;    // that are streamed per unit
  size_t columns = 0;

  friend bool operator==(const Segment&, const Segment&) = default;
};

}  // namespace rivulet
