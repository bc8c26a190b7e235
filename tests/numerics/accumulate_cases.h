// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Random operands of one accumulate step, drawn from the weighted classes `accumulate_case` of
// tests/data/value_classes.json: ties, cancellation, edges of the range, special operands.

#pragma once

#include <cstdint>
#include <string>

#include "tb/random.h"
#include "tb/value_classes.h"
#include "tb/weighted_choice.h"

namespace rivulet {

struct AccumulateCase {
  uint32_t acc = 0;  // FP32 pattern
  int64_t partial = 0;
  uint32_t scale = 0;  // BF16 pattern
  int group_exponent = 0;
  int align_w = 16;

  // e of docs/numerics.md §6.
  int exponent() const { return group_exponent - 127 - align_w + 2; }
  std::string text() const;
};

class AccumulateCases {
 public:
  AccumulateCases();

  AccumulateCase draw(Random& random);
  std::string never_drawn() const;
  std::string counts() const { return choice_.counts(); }

 private:
  WeightedChoice choice_;
  ValueClasses acc_{"fp32"};
  ValueClasses scale_{"bf16"};
};

}  // namespace rivulet
