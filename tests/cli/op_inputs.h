// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Random inputs of the operations, and the command line that runs one.

#include <cstddef>
#include <string>
#include <vector>

#include "sw_model/workload/safetensors.h"
#include "tb/random.h"
#include "tb/value_classes.h"

namespace rivulet {

// A matrix product; `bits` of a code: 8, 4 or 2, or 16 for gemm-bf16.
struct Problem {
  size_t m, n, k, group;
  int align_w;
  int bits;
};

// Finite values of weighted classes, codes uniform in the range of the tier.
class OpInputs {
 public:
  explicit OpInputs(uint64_t seed) : random_(seed), values_("bf16_finite") {}

  TensorFile make(const Problem& problem);

 private:
  Tensor bf16(const std::vector<size_t>& shape);

  Random random_;
  ValueClasses values_;
};

// "op NAME --in IN --out OUT --set S ..."
std::vector<std::string> op_arguments(const std::string& name, const std::string& in,
                                      const std::string& out,
                                      const std::vector<std::string>& settings);

}  // namespace rivulet
