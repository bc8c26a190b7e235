// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/numerics/pack.h"

#include <fmt/format.h>

#include <stdexcept>

namespace rivulet {
namespace {

constexpr int kQ2Minimum = -1;  // code 10 (-2) is never delivered

void check_code(int8_t code, size_t index, Tier tier) {
  const int bits = bits_per_code(tier);
  const int high = (1 << (bits - 1)) - 1;
  const int low = tier == Tier::kQ2 ? kQ2Minimum : -high - 1;
  if (code < low || code > high) {
    throw std::invalid_argument(fmt::format("pack: code {} at index {} is outside {}..{} of q{}",
                                            code, index, low, high, bits));
  }
}

}  // namespace

size_t beat_count(size_t codes, Tier tier, int link_bits) {
  if (link_bits <= 0 || link_bits % kBeatBits != 0) {
    throw std::invalid_argument(
        fmt::format("pack: link width is {} bits, must be a positive multiple of 64", link_bits));
  }
  const int bits = bits_per_code(tier);
  if (bits == 0) return 0;
  const auto codes_per_beat = static_cast<size_t>(link_bits / bits);
  return (codes + codes_per_beat - 1) / codes_per_beat;
}

std::vector<uint64_t> pack_codes(std::span<const int8_t> codes, Tier tier, int link_bits) {
  const size_t words_per_beat = static_cast<size_t>(link_bits) / kBeatBits;
  std::vector<uint64_t> beats(beat_count(codes.size(), tier, link_bits) * words_per_beat);
  const int bits = bits_per_code(tier);
  if (bits == 0) return beats;
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  const auto codes_per_word = static_cast<size_t>(kBeatBits / bits);
  for (size_t i = 0; i < codes.size(); ++i) {
    check_code(codes[i], i, tier);
    const uint64_t field = static_cast<uint64_t>(codes[i]) & mask;
    beats[i / codes_per_word] |= field << (static_cast<size_t>(bits) * (i % codes_per_word));
  }
  return beats;
}

std::vector<int8_t> unpack_codes(std::span<const uint64_t> beats, size_t codes, Tier tier) {
  if (beats.size() < beat_count(codes, tier)) {
    throw std::invalid_argument(fmt::format("unpack: {} codes of q{} need {} beats, got {}", codes,
                                            bits_per_code(tier), beat_count(codes, tier),
                                            beats.size()));
  }
  const int bits = bits_per_code(tier);
  if (bits == 0) return {};
  std::vector<int8_t> result(codes);
  const auto codes_per_word = static_cast<size_t>(kBeatBits / bits);
  const int unused = 8 - bits;
  for (size_t i = 0; i < codes; ++i) {
    const uint64_t field =
        beats[i / codes_per_word] >> (static_cast<size_t>(bits) * (i % codes_per_word));
    const auto top_aligned = static_cast<int8_t>(static_cast<uint8_t>(field << unused));
    result[i] = static_cast<int8_t>(top_aligned >> unused);
  }
  return result;
}

std::vector<uint8_t> beat_bytes(std::span<const uint64_t> beats) {
  std::vector<uint8_t> bytes;
  bytes.reserve(beats.size() * 8);
  for (const uint64_t beat : beats) {
    for (int byte = 0; byte < 8; ++byte) bytes.push_back(static_cast<uint8_t>(beat >> (8 * byte)));
  }
  return bytes;
}

}  // namespace rivulet
