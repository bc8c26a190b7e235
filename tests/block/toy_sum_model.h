// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_toy_sum.

#include "tests/block/toy_sum_block.h"

namespace rivulet {

class ToySumModel final : public ClockedBlock<ToySumBlock> {
 public:
  void reset() override { *this = ToySumModel(); }
  const ToySumOutputs& step(const ToySumInputs& in) override {
    outputs_ = {.in_ready = !sum_valid_ || in.sum_ready, .sum_valid = sum_valid_, .sum = sum_};
    if (sum_valid_ && in.sum_ready) {
      sum_valid_ = false;
      ++packets_;
    }
    if (in.in_valid && outputs_.in_ready) {
      sum_ = static_cast<int16_t>((first_ ? 0 : sum_) + in.value);
      first_ = sum_valid_ = in.last;
    }
    return outputs_;
  }
  uint16_t counters() const override { return packets_; }

 private:
  bool first_ = true;
  bool sum_valid_ = false;
  int16_t sum_ = 0;
  uint16_t packets_ = 0;
  ToySumOutputs outputs_;
};

}  // namespace rivulet
