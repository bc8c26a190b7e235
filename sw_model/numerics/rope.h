// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_ROPE_H_
#define RIVULET_NUMERICS_ROPE_H_

// Rotary position embedding, half-split form: pair (x[j], x[j + d/2]) turns by pos * theta^(-2j/d).
//
// The table of sines and cosines is FP32; products and sums are FP32, the result BF16.
// An odd or zero head_dim, theta < 1, positions outside 0..2^20-1 and wrong sizes throw
// std::invalid_argument. Arithmetic: docs/numerics.md §12.4.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/numerics/bf16.h"

namespace rivulet {

class Rope {
 public:
  // Tabulates positions 0 .. positions-1.
  Rope(size_t head_dim, double theta, size_t positions);

  // Rotates one head vector of head_dim elements in place.
  void rotate(std::span<Bf16> head, size_t position) const;

  float cos(size_t position, size_t pair) const { return cos_[position * pairs_ + pair]; }
  float sin(size_t position, size_t pair) const { return sin_[position * pairs_ + pair]; }
  size_t head_dim() const { return 2 * pairs_; }
  size_t positions() const { return positions_; }

 private:
  size_t pairs_;
  size_t positions_;
  std::vector<float> cos_;  // [positions, pairs]
  std::vector<float> sin_;
};

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_ROPE_H_
