// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Requests and counters of the converter as text, for messages.

#pragma once

#include <fmt/format.h>

#include <string>

#include "sw_model/converter/converter_cycle.h"
#include "sw_model/converter/read_request.h"
#include "tb/wire_port.h"

namespace rivulet {

using RequestBits = Bits<wire::ReadReq::kBits>;
using CountersBits = Bits<wire::ConverterCounters::kBits>;

inline std::string describe(const ReadRequest& request) {
  return fmt::format("request: {} codes at q{}, kind {}, shift {}, clamp {}, round {}, theta {} {}",
                     request.codes, bits_per_code(request.tier), static_cast<int>(request.kind),
                     request.view.shift, request.view.clamp,
                     static_cast<int>(request.view.rounding), request.view.theta_p,
                     request.view.theta_n);
}

inline std::string describe_counters(const CountersBits& bits) {
  const auto counters = struct_of<ConverterCounters>(bits);
  std::string text;
  for (unsigned tier = 0; tier < 4; ++tier) {
    text += fmt::format("q{}: {} codes {} beats; ", bits_per_code(static_cast<Tier>(tier)),
                        counters.codes[tier], counters.beats[tier]);
  }
  return text;
}

}  // namespace rivulet
