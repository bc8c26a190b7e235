// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_VIEW_H_
#define RIVULET_NUMERICS_VIEW_H_

// Read-time views: what a stored q8 code becomes when fewer bits are delivered.
//
// q4 is clamp, optional half, arithmetic shift, saturation; q2 is two comparisons of the raw code.
// check_view() refuses a configuration out of range (std::invalid_argument); the view functions
// themselves accept every code. Arithmetic: docs/numerics.md §9.

#include <cstdint>

namespace rivulet {

// Delivered width of a read; the value is the 2-bit tag.
enum class Tier : uint8_t { kQ0 = 0, kQ2 = 1, kQ4 = 2, kQ8 = 3 };

// What the codes are: the residual of a KV entry, or weights; the value is the kind bit.
enum class Kind : uint8_t { kKv = 0, kFfn = 1 };

enum class Q4Rounding : uint8_t { kTruncate = 0, kHalfUp = 1 };

constexpr int kThetaNeverPositive = 128;   // theta_p that no code reaches
constexpr int kThetaNeverNegative = -129;  // theta_n that no code reaches

// Bits of one delivered code: 0, 2, 4 or 8.
constexpr int bits_per_code(Tier tier) {
  return tier == Tier::kQ0 ? 0 : 1 << static_cast<int>(tier);
}

// Tier of a width in bits (8, 4, 2, 0); any other width throws std::invalid_argument.
Tier tier_from_bits(int bits);

// Calibrated parameters of one stream.
struct View {
  Q4Rounding rounding = Q4Rounding::kHalfUp;
  int clamp = 128;    // 1..128; 128 leaves every code as it is
  int shift = 4;      // 0..5
  int theta_p = 24;   // -256..255: +1 if code >= theta_p
  int theta_n = -25;  // -256..255, < theta_p: -1 if code <= theta_n

  friend bool operator==(const View&, const View&) = default;
};

// The defaults of a kind: KV truncates, FFN rounds half up.
View default_view(Kind kind);

// Throws std::invalid_argument that names the parameter, its value and its range.
void check_view(const View& view);

int8_t view_q4(int8_t code, const View& view);
int8_t view_q2(int8_t code, const View& view);

// The code as delivered at `tier`; at q0 nothing is delivered and the result is 0.
int8_t view_code(int8_t code, Tier tier, const View& view);

// The q2 thresholds that reproduce "+1 if q4 >= t, -1 if q4 <= -t" on the raw code, for the q4 map
// of `view` (its own thresholds are ignored). t is 1..8.
struct Thresholds {
  int theta_p = kThetaNeverPositive;
  int theta_n = kThetaNeverNegative;

  friend bool operator==(const Thresholds&, const Thresholds&) = default;
};
Thresholds thresholds_on_q4(const View& view, int t);

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_VIEW_H_
