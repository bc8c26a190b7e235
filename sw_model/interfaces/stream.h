// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Width of the codes that a segment streams through the array: kBf16, kQ2, kQ4 or kQ8.

#include "sw_model/interfaces/wire/stream.h"
#include "sw_model/numerics/view.h"

namespace rivulet {

using Stream = wire::Stream;

// Slices of 2 bits of one code.
constexpr int slices(Stream stream) {
  return stream == Stream::kBf16 ? 8 : 1 << (static_cast<int>(stream) - 1);
}

// q0 streams nothing: std::invalid_argument.
Stream stream_of(Tier tier);

}  // namespace rivulet
