// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Generated structs (sw_model/interfaces) at the ports of a verilated model.
//
// `Port` is the integer or the VlWide that Verilator makes of a port of the struct's type; one of
// another width does not compile.

#include <cstring>
#include <type_traits>

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

// A port of bytes or 16-bit values from memory that holds at least as many.
template <typename Port>
void copy_to_port(Port& port, const void* source) {
  static_assert(std::is_trivially_copyable_v<Port>);
  std::memcpy(&port, source, sizeof port);
}

}  // namespace rivulet
