// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// A vector of N bits that travels between C++ and the ports of a verilated model.
//
// Bit 0 is the least significant bit of the port. Packed structs and packed arrays are one vector:
// the first member of a struct is in the most significant bits, element 0 of an array in the
// least significant ones.

#pragma once

#include <fmt/format.h>
#include <verilated.h>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

namespace rivulet {

template <unsigned N>
class Bits {
  static_assert(N > 0, "a vector has at least one bit");

 public:
  static constexpr unsigned kWidth = N;
  static constexpr unsigned kWords = (N + 63) / 64;

  Bits() = default;
  explicit Bits(std::uint64_t low_word) { set(0, N < 64 ? N : 64, low_word); }
  explicit Bits(const std::array<std::uint64_t, kWords>& words) : words_(words) {
    words_[kWords - 1] &= mask(N - 64 * (kWords - 1));
  }

  // The `width` bits (1..64) from bit `low` up; bits beyond N read as 0 and are not written.
  std::uint64_t get(unsigned low, unsigned width) const {
    const unsigned index = low / 64;
    const unsigned shift = low % 64;
    std::uint64_t value = index < kWords ? words_[index] >> shift : 0;
    if (shift != 0 && index + 1 < kWords) value |= words_[index + 1] << (64 - shift);
    return value & mask(width);
  }
  void set(unsigned low, unsigned width, std::uint64_t value) {
    const unsigned index = low / 64;
    const unsigned shift = low % 64;
    value &= mask(width);
    if (index < kWords) words_[index] = (words_[index] & ~(mask(width) << shift)) | value << shift;
    if (shift + width > 64 && index + 1 < kWords) {
      words_[index + 1] =
          (words_[index + 1] & ~(mask(width) >> (64 - shift))) | value >> (64 - shift);
    }
    words_[kWords - 1] &= mask(N - 64 * (kWords - 1));
  }

  // Least significant word first; bits beyond N are 0.
  const std::array<std::uint64_t, kWords>& words() const { return words_; }

  bool operator==(const Bits&) const = default;

 private:
  static constexpr std::uint64_t mask(unsigned width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  }

  std::array<std::uint64_t, kWords> words_{};
};

// Hexadecimal text, most significant digit first, all digits written.
template <unsigned N>
std::string hex(const Bits<N>& bits) {
  std::string text;
  for (unsigned digit = (N + 3) / 4; digit-- > 0;) {
    text += fmt::format("{:x}", bits.get(4 * digit, 4));
  }
  return text;
}
inline std::string hex(std::uint64_t value) { return fmt::format("{:x}", value); }

// Copies a vector to a port of at least N bits, and back. `Port` is an integer (up to 64 bits) or
// VlWide (more).
template <unsigned N, typename Port>
void write_port(Port& port, const Bits<N>& bits) {
  if constexpr (std::is_integral_v<Port>) {
    static_assert(N <= 8 * sizeof(Port));
    port = static_cast<Port>(bits.get(0, N < 64 ? N : 64));
  } else {
    static_assert(N <= 8 * sizeof(Port));
    for (unsigned word = 0; word < sizeof(Port) / sizeof(EData); ++word) {
      port.data()[word] = static_cast<EData>(bits.get(32 * word, 32));
    }
  }
}
template <unsigned N, typename Port>
Bits<N> read_port(const Port& port) {
  static_assert(N <= 8 * sizeof(Port));
  if constexpr (std::is_integral_v<Port>) {
    return Bits<N>(port);
  } else {
    Bits<N> bits;
    for (unsigned word = 0; 32 * word < N; ++word) bits.set(32 * word, 32, port.data()[word]);
    return bits;
  }
}

}  // namespace rivulet
