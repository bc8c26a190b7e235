// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_stream_narrow: which part of a beat leaves, and when the beat is used up.
// The data stay with the caller: a part is a slice of the beat that waits.

#include <cstddef>

namespace rivulet {

class StreamNarrowModel {
 public:
  struct Inputs {
    bool in_valid = false;
    bool in_last = false;  // last beat of a request,
    size_t in_parts = 0;   // of which so many parts hold data, 1 to ratio
    bool out_ready = false;
  };
  struct Outputs {
    bool in_ready = false;
    bool out_valid = false;
    size_t out_part = 0;  // of the beat, from 0
    bool out_last = false;
  };

  explicit StreamNarrowModel(size_t ratio) : ratio_(ratio) {}

  void reset() { part_ = 0; }
  Outputs outputs(const Inputs& in) const {
    const bool part_end = part_ + 1 == (in.in_last ? in.in_parts : ratio_);
    return {.in_ready = in.out_ready && part_end,
            .out_valid = in.in_valid,
            .out_part = part_,
            .out_last = in.in_last && part_end};
  }
  void clock(const Inputs& in) {
    if (!in.in_valid || !in.out_ready) return;
    part_ = outputs(in).in_ready ? 0 : part_ + 1;
  }

 private:
  size_t ratio_;
  size_t part_ = 0;
};

}  // namespace rivulet
