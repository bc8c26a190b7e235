// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The basis of the KV codec: the two leading eigenvectors of the Gram matrix of entries.
//
// Computed on the host, once for each layer, KV head and kind (keys before RoPE, values). Wrong
// sizes and values that are not finite throw std::invalid_argument. Arithmetic: docs/numerics.md
// §14.1.

#include <array>
#include <span>
#include <vector>

#include "sw_model/numerics/bf16.h"

namespace rivulet {

struct KvBasis {
  std::vector<Bf16> u;               // [d,2]
  std::array<float, 2> eigenvalues;  // descending
};

// x [n,d], n at least 1 and d at least 2.
KvBasis kv_basis(std::span<const Bf16> x, size_t d);

}  // namespace rivulet
