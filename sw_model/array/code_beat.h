// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// One beat of codes on its way into the array, as the cycle models hand it on: sign-extended codes,
// not packed. A BF16 stream carries bytes: the low ones of its lanes, then the high ones.

#include <array>
#include <cstddef>
#include <cstdint>

#include "sw_model/interfaces/stream.h"

namespace rivulet {

struct CodeBeat {
  static constexpr size_t kMaxCodes = 4 * 128;  // of 2 bits on the widest link

  std::array<int8_t, kMaxCodes> codes{};
  uint8_t exponent = 0;  // of the unit, BF16 streams only
};

// Codes of one beat on a link of `lanes` bytes; for a BF16 stream its bytes.
constexpr size_t beat_codes(Stream stream, size_t lanes) {
  if (stream == Stream::kQ2) return 4 * lanes;
  return stream == Stream::kQ4 ? 2 * lanes : lanes;
}

}  // namespace rivulet
