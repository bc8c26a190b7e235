// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Tier, kind and view of the numerics as the types of the ports, and back.
//
// A view that check_view() refuses may not fit the fields of the port: it is cut.

#include "sw_model/interfaces/wire/kind.h"
#include "sw_model/interfaces/wire/tier.h"
#include "sw_model/interfaces/wire/view.h"
#include "sw_model/numerics/view.h"

namespace rivulet {

constexpr wire::Tier to_wire(Tier tier) { return static_cast<wire::Tier>(tier); }
constexpr wire::Kind to_wire(Kind kind) { return static_cast<wire::Kind>(kind); }
constexpr Tier from_wire(wire::Tier tier) { return static_cast<Tier>(tier); }
constexpr Kind from_wire(wire::Kind kind) { return static_cast<Kind>(kind); }

// docs/numerics.md defines the codes of the numerics, the RTL those of the ports.
static_assert(to_wire(Tier::kQ0) == wire::Tier::kQ0 && to_wire(Tier::kQ2) == wire::Tier::kQ2);
static_assert(to_wire(Tier::kQ4) == wire::Tier::kQ4 && to_wire(Tier::kQ8) == wire::Tier::kQ8);
static_assert(to_wire(Kind::kKv) == wire::Kind::kKv && to_wire(Kind::kFfn) == wire::Kind::kFfn);

constexpr wire::View to_wire(const View& view) {
  return {.round_half_up = view.rounding == Q4Rounding::kHalfUp,
          .clamp = static_cast<uint8_t>(view.clamp),
          .shift = static_cast<uint8_t>(view.shift),
          .theta_p = static_cast<int16_t>(view.theta_p),
          .theta_n = static_cast<int16_t>(view.theta_n)};
}

constexpr View from_wire(const wire::View& view) {
  return {.rounding = view.round_half_up ? Q4Rounding::kHalfUp : Q4Rounding::kTruncate,
          .clamp = view.clamp,
          .shift = view.shift,
          .theta_p = view.theta_p,
          .theta_n = view.theta_n};
}

}  // namespace rivulet
