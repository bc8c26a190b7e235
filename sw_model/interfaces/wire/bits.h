// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Numbers in the bits of a packed struct: what the generated structs of this folder are packed
// with.
//
// Bits are counted from the least significant one of word 0. put_bits() writes the low `width` bits
// (1 to 64) of a value to bits that are zero; what is wider is cut. get_bits() sign-extends if the
// number is signed; an enum may get a code that it has no name for.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace rivulet::wire {

// Words that hold so many bits, least significant word first.
template <unsigned kBits>
using BitWords = std::array<uint64_t, (kBits + 63) / 64>;

constexpr uint64_t low_bits(unsigned width) { return ~uint64_t{0} >> (64 - width); }

template <size_t kWords, typename Number>
constexpr void put_bits(std::array<uint64_t, kWords>& words, unsigned low, unsigned width,
                        Number number) {
  const uint64_t bits = static_cast<uint64_t>(number) & low_bits(width);
  const unsigned shift = low % 64;
  words[low / 64] |= bits << shift;
  if (shift + width > 64) words[low / 64 + 1] |= bits >> (64 - shift);
}

template <typename Number, size_t kWords>
constexpr Number get_bits(const std::array<uint64_t, kWords>& words, unsigned low, unsigned width) {
  const unsigned shift = low % 64;
  uint64_t bits = words[low / 64] >> shift;
  if (shift + width > 64) bits |= words[low / 64 + 1] << (64 - shift);
  bits &= low_bits(width);
  if constexpr (std::is_signed_v<Number>) {
    const uint64_t sign = uint64_t{1} << (width - 1);
    bits = (bits ^ sign) - sign;
  }
  return static_cast<Number>(bits);
}

}  // namespace rivulet::wire
