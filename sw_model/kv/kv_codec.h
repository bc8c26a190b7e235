// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// KV codec: an entry x [d] as a rank-2 base c*U^T and a q8 residual with one scale.
//
// Sizes that disagree and values that are not finite throw std::invalid_argument.
// Arithmetic: docs/numerics.md §14.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/numerics/bf16.h"
#include "sw_model/numerics/view.h"

namespace rivulet {

// Beside the codes of an entry.
struct KvSide {
  Bf16 sigma;
  std::array<Bf16, 2> c;
};

// What turns delivered codes into residuals; a q4 code z counts as (2z + 1) * 2^(shift - 1).
struct KvViews {
  View view{.rounding = Q4Rounding::kTruncate, .shift = 4, .theta_p = 28, .theta_n = -28};
  Bf16 a2;  // of q2 codes
};

// x [d], u [d,2] to codes [d].
KvSide kv_encode(std::span<const Bf16> x, std::span<const Bf16> u, std::span<int8_t> codes);

// The entry as it is read at `tier`, [d].
void kv_decode(std::span<const int8_t> codes, const KvSide& side, std::span<const Bf16> u,
               Tier tier, const KvViews& views, std::span<Bf16> x);

// The least-squares amplitude of q2 codes [n,d] with scales [n]; 0 if no code passes a threshold.
Bf16 fit_q2_amplitude(std::span<const int8_t> codes, std::span<const KvSide> sides,
                      const View& view);

}  // namespace rivulet
