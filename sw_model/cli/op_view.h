// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The keys of an operation that say how stored codes are read.
//
// Values out of range throw InputError. Meaning: docs/numerics.md §9.

#include <vector>

#include "sw_model/cli/op_keys.h"
#include "sw_model/converter/read_request.h"

namespace rivulet {

// kind, clamp, shift, theta_p, theta_n, round.
const std::vector<KeySpec>& view_keys();

// The tier of the key `tier`.
Tier tier_of(const OpKeys& keys);
// A read at the tier of the key `tier` through the view of the view keys.
ReadRequest read_of(const OpKeys& keys);

}  // namespace rivulet
