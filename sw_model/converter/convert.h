// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Functional model of the precision converter: one request, no clock.
//
// Stored q8 codes become delivered codes and link beats, as docs/numerics.md §9 and §10 define
// them. Throws std::invalid_argument for a view out of range, a link width that is not a multiple
// of 64, and a number of stored codes that is not the number requested.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/converter/read_request.h"

namespace rivulet {

struct Converted {
  std::vector<std::int8_t> codes;    // as delivered; none at q0
  std::vector<std::uint64_t> beats;  // link_bits / 64 words a link beat, the first one lowest
};

Converted convert(std::span<const std::int8_t> stored, const ReadRequest& request, int link_bits);

}  // namespace rivulet
