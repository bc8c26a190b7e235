// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// A tagged read of stored codes: what a requester asks the precision converter for.

#pragma once

#include <cstdint>

#include "sw_model/interfaces/view_wire.h"
#include "sw_model/interfaces/wire/read_req.h"
#include "sw_model/numerics/view.h"

namespace rivulet {

struct ReadRequest {
  Tier tier = Tier::kQ8;
  Kind kind = Kind::kFfn;
  View view = {};
  std::uint32_t codes = 0;  // number of stored q8 codes

  friend bool operator==(const ReadRequest&, const ReadRequest&) = default;
};

constexpr wire::ReadReq to_wire(const ReadRequest& request) {
  return {.tier = to_wire(request.tier),
          .kind = to_wire(request.kind),
          .view = to_wire(request.view),
          .codes = request.codes};
}

constexpr ReadRequest from_wire(const wire::ReadReq& request) {
  return {.tier = from_wire(request.tier),
          .kind = from_wire(request.kind),
          .view = from_wire(request.view),
          .codes = request.codes};
}

}  // namespace rivulet
