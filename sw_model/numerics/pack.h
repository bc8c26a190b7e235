// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_PACK_H_
#define RIVULET_NUMERICS_PACK_H_

// Packing of delivered codes into beats.
//
// A beat is 64 bits = 8, 16 or 32 codes of 8, 4 or 2 bits, lane 0 in the least significant bits. A
// link beat of `link_bits` (a multiple of 64) is link_bits / 64 consecutive beats, the first one
// lowest. The last (link) beat of a request is padded with zeros; q0 takes no beat.
// Bad link widths, codes outside the tier's range and wrong sizes throw std::invalid_argument.
// Layout: docs/numerics.md §10.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/numerics/view.h"

namespace rivulet {

constexpr int kBeatBits = 64;

// Number of link beats that `codes` codes take.
size_t beat_count(size_t codes, Tier tier, int link_bits = kBeatBits);

// The 64-bit beats of one request: beat_count(...) * link_bits / 64 words.
std::vector<uint64_t> pack_codes(std::span<const int8_t> codes, Tier tier,
                                 int link_bits = kBeatBits);

// The first `codes` codes of a packed request, sign-extended.
std::vector<int8_t> unpack_codes(std::span<const uint64_t> beats, size_t codes, Tier tier);

// Beats as bytes in memory order, least significant byte first.
std::vector<uint8_t> beat_bytes(std::span<const uint64_t> beats);

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_PACK_H_
