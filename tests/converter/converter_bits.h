// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Structs of the converter's ports as bit vectors (rivulet_pkg.sv, rivulet_converter_pkg.sv).

#pragma once

#include <fmt/format.h>

#include <string>

#include "sw_model/converter/converter_cycle.h"
#include "sw_model/converter/read_request.h"
#include "tb/bits.h"

namespace rivulet {

inline constexpr unsigned kRequestBits = 65;
inline constexpr unsigned kCounterBits = 48;
inline constexpr unsigned kCountersBits = 8 * kCounterBits;

inline Bits<kRequestBits> request_bits(const ReadRequest& request) {
  Bits<kRequestBits> bits;
  bits.set(0, 32, request.codes);
  bits.set(32, 9, static_cast<std::uint64_t>(request.view.theta_n));
  bits.set(41, 9, static_cast<std::uint64_t>(request.view.theta_p));
  bits.set(50, 3, static_cast<std::uint64_t>(request.view.shift));
  bits.set(53, 8, static_cast<std::uint64_t>(request.view.clamp));
  bits.set(61, 1, static_cast<std::uint64_t>(request.view.rounding));
  bits.set(62, 1, static_cast<std::uint64_t>(request.kind));
  bits.set(63, 2, static_cast<std::uint64_t>(request.tier));
  return bits;
}

inline int signed9(std::uint64_t bits) { return static_cast<int>(bits) - (bits >= 256 ? 512 : 0); }

inline ReadRequest request_from_bits(const Bits<kRequestBits>& bits) {
  ReadRequest request;
  request.codes = static_cast<std::uint32_t>(bits.get(0, 32));
  request.view.theta_n = signed9(bits.get(32, 9));
  request.view.theta_p = signed9(bits.get(41, 9));
  request.view.shift = static_cast<int>(bits.get(50, 3));
  request.view.clamp = static_cast<int>(bits.get(53, 8));
  request.view.rounding = static_cast<Q4Rounding>(bits.get(61, 1));
  request.kind = static_cast<Kind>(bits.get(62, 1));
  request.tier = static_cast<Tier>(bits.get(63, 2));
  return request;
}

inline Bits<kCountersBits> counters_bits(const ConverterCounters& counters) {
  Bits<kCountersBits> bits;
  for (unsigned tier = 0; tier < 4; ++tier) {
    bits.set(kCounterBits * tier, kCounterBits, counters.beats[tier]);
    bits.set(kCounterBits * (4 + tier), kCounterBits, counters.codes[tier]);
  }
  return bits;
}

inline std::string describe(const ReadRequest& request) {
  return fmt::format("request: {} codes at q{}, kind {}, shift {}, clamp {}, round {}, theta {} {}",
                     request.codes, bits_per_code(request.tier), static_cast<int>(request.kind),
                     request.view.shift, request.view.clamp,
                     static_cast<int>(request.view.rounding), request.view.theta_p,
                     request.view.theta_n);
}

inline std::string describe_counters(const Bits<kCountersBits>& bits) {
  std::string text;
  for (unsigned tier = 0; tier < 4; ++tier) {
    text += fmt::format("q{}: {} codes {} beats; ", bits_per_code(static_cast<Tier>(tier)),
                        bits.get(kCounterBits * (4 + tier), kCounterBits),
                        bits.get(kCounterBits * tier, kCounterBits));
  }
  return text;
}

}  // namespace rivulet
