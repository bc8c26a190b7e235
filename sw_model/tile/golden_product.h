// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The functional model of one product: views, then the matrix products of docs/numerics.md.

#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/tile/counters.h"
#include "sw_model/tile/tile_product.h"

namespace rivulet {

// Stored codes as delivered at `read`: the functional model of the converter.
std::vector<int8_t> deliver(std::span<const int8_t> codes, const ReadRequest& read);

// Throws as check_product().
GemmResult golden_product(const TileProduct& product);

// What the definition of a product moves and multiplies: each operand once, nothing padded; cycles,
// beats and flags stay 0.
Counters product_counters(const TileProduct& product);

}  // namespace rivulet
