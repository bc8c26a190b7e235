// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Generated structs (sw_model/interfaces/wire) as Bits.

#pragma once

#include "tb/bits.h"

namespace rivulet {

template <typename Struct>
Bits<Struct::kBits> bits_of(const Struct& value) {
  return Bits<Struct::kBits>(value.pack());
}

template <typename Struct>
Struct struct_of(const Bits<Struct::kBits>& bits) {
  return Struct::unpack(bits.words());
}

}  // namespace rivulet
