// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// A tagged read of stored codes: what a requester asks the precision converter for.

#pragma once

#include <cstdint>

#include "sw_model/numerics/view.h"

namespace rivulet {

struct ReadRequest {
  Tier tier = Tier::kQ8;
  Kind kind = Kind::kFfn;
  View view = {};
  std::uint32_t codes = 0;  // number of stored q8 codes

  friend bool operator==(const ReadRequest&, const ReadRequest&) = default;
};

}  // namespace rivulet
