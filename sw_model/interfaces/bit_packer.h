// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Packs the fields of a packed struct of the RTL, from the most significant one down.

#include <array>
#include <cstddef>
#include <cstdint>

namespace rivulet {

// The bits of a port of kBits bits, least significant word first.
template <int kBits>
class BitPacker {
 public:
  using Packed = std::array<uint32_t, (kBits + 31) / 32>;

  BitPacker& add(int width, int value) {
    const auto field = static_cast<uint32_t>(value) & ((uint64_t{1} << width) - 1);
    bits_ = bits_ << width | field;
    return *this;
  }
  BitPacker& flag(bool value) { return add(1, value ? 1 : 0); }
  Packed packed() const {
    Packed words{};
    for (size_t word = 0; word < words.size(); ++word) {
      words[word] = static_cast<uint32_t>(bits_ >> (32 * word));
    }
    return words;
  }

 private:
  unsigned __int128 bits_ = 0;
};

}  // namespace rivulet
