// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Generated structs (sw_model/interfaces) at the ports of a verilated model, and as Bits.
//
// `Port` is the integer or the VlWide that Verilator makes of a port of the struct's type; one of
// another width does not compile.

#include <cstring>

#include "tb/bits.h"

namespace rivulet {

// The least significant byte of a port comes first, as on every host that runs Verilator's code.
template <typename Port, typename Struct>
constexpr bool kFitsPort = 8 * sizeof(Port) >= Struct::kBits &&
                           sizeof(Port) <= sizeof(typename Struct::Words) &&
                           (sizeof(Port) <= 4 || 8 * sizeof(Port) < Struct::kBits + 32);

template <typename Port, typename Struct>
void write_struct(Port& port, const Struct& value) {
  static_assert(kFitsPort<Port, Struct>, "the port has another width");
  const auto words = value.pack();
  std::memcpy(&port, words.data(), sizeof port);
}

template <typename Struct, typename Port>
Struct read_struct(const Port& port) {
  static_assert(kFitsPort<Port, Struct>, "the port has another width");
  typename Struct::Words words{};
  std::memcpy(words.data(), &port, sizeof port);
  return Struct::unpack(words);
}

template <typename Struct>
Bits<Struct::kBits> bits_of(const Struct& value) {
  return Bits<Struct::kBits>(value.pack());
}

template <typename Struct>
Struct struct_of(const Bits<Struct::kBits>& bits) {
  return Struct::unpack(bits.words());
}

}  // namespace rivulet
