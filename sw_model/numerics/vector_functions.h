// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_VECTOR_FUNCTIONS_H_
#define RIVULET_NUMERICS_VECTOR_FUNCTIONS_H_

// What the host computes around the array: bias, residual, SiLU, RMSNorm, softmax, confidence.
//
// Subnormal inputs read as zero, results are rounded once and never subnormal, NaN is canonical.
// Empty or differently sized inputs throw std::invalid_argument; NaN and Inf never do.
// Arithmetic: docs/numerics.md §12.1 and §12.2.

#include <cstddef>
#include <span>

#include "sw_model/numerics/bf16.h"

namespace rivulet {

Bf16 add_bias(float acc, Bf16 bias);
Bf16 residual_add(Bf16 hidden, Bf16 update);
Bf16 silu(Bf16 g);
Bf16 gate(Bf16 activated, Bf16 up);

// acc / sqrt(head_dim) as one FP32 product; head_dim >= 1.
float scale_score(float acc, int head_dim);

// y[i] = x[i] * weight[i] / sqrt(mean(x^2) + eps). eps is finite and >= 0.
void rmsnorm(std::span<const Bf16> x, std::span<const Bf16> weight, double eps, std::span<Bf16> y);

// p[i] = exp(s[i] - max) / sum. A score of -Inf masks its position (+0).
void softmax(std::span<const float> scores, std::span<Bf16> p);

struct TopProbability {
  size_t index = 0;       // lowest index of the maximum
  float probability = 0;  // softmax at that index; canonical NaN as for softmax, index then 0
};
TopProbability top_probability(std::span<const float> scores);

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_VECTOR_FUNCTIONS_H_
