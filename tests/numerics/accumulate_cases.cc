// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/numerics/accumulate_cases.h"

#include <fmt/format.h>

#include <algorithm>

namespace rivulet {
namespace {

// In the order of the names below.
enum Kind : size_t {
  kAnything,
  kNearExponents,
  kTie,
  kTieWithStickyBit,
  kExactCancellation,
  kNearCancellation,
  kOverflowEdge,
  kUnderflowEdge,
  kHugeGap,
  kMinimumCodes,
  kZeroPartial,
  kSubnormalScale,
  kSpecialOperand,
  kInfiniteAcc,
  kNanAcc,
};

// A partial of random length, up to that of 128 products of two 16-bit integers, now and then
// longer.
int64_t draw_partial(Random& random) {
  const auto bits = static_cast<unsigned>(random.between(1, random.chance(0.1) ? 55 : 37));
  const auto magnitude = static_cast<int64_t>(random.next() >> (64 - bits));
  return random.chance(0.5) ? -magnitude : magnitude;
}

uint32_t normal_fp32(Random& random, int low_field, int high_field) {
  const auto sign = static_cast<uint32_t>(random.below(2)) << 31;
  const auto field = static_cast<uint32_t>(random.between(low_field, high_field)) << 23;
  return sign | field | static_cast<uint32_t>(random.below(1U << 23));
}

// Chooses scale (a power of two) and group exponent so that the lowest bit of P weighs 2^weight.
void place(Random& random, int weight, AccumulateCase& c) {
  // scale = 2^(field - 127), e = group_exponent - 125 - align_w
  const int sum = std::clamp(weight + 252 + c.align_w, 2, 508);
  const auto field =
      static_cast<int>(random.between(std::max(1, sum - 254), std::min(254, sum - 1)));
  c.scale = static_cast<uint32_t>(field) << 7;
  c.group_exponent = sum - field;
}

int64_t significand(uint32_t acc) { return (acc & 0x7FFFFF) | 0x800000; }
int lowest_weight(uint32_t acc) { return static_cast<int>(acc >> 23 & 0xFF) - 150; }
bool negative(uint32_t acc) { return acc >> 31 != 0; }

// A small non-zero offset of either sign.
int64_t nudge(Random& random) {
  const int64_t size = random.between(1, 3);
  return random.chance(0.5) ? size : -size;
}

}  // namespace

std::string AccumulateCase::text() const {
  return fmt::format("acc {:08X}, P {}, scale {:04X}, group exponent {}, W {}", acc, partial, scale,
                     group_exponent, align_w);
}

AccumulateCases::AccumulateCases()
    : choice_("accumulate_case",
              {"anything", "near_exponents", "tie", "tie_with_sticky_bit", "exact_cancellation",
               "near_cancellation", "overflow_edge", "underflow_edge", "huge_gap", "minimum_codes",
               "zero_partial", "subnormal_scale", "special_operand", "infinite_acc", "nan_acc"}) {}

std::string AccumulateCases::never_drawn() const {
  return choice_.never_picked() + acc_.never_drawn() + scale_.never_drawn();
}

AccumulateCase AccumulateCases::draw(Random& random) {
  AccumulateCase c;
  c.align_w = static_cast<int>(random.between(9, 16));
  c.acc = acc_.draw(random);
  c.partial = draw_partial(random);
  c.scale = scale_.draw(random);
  c.group_exponent = static_cast<int>(random.between(0, 254));
  const auto kind = static_cast<Kind>(choice_.pick(random));
  switch (kind) {
    case kAnything:
      break;
    case kNearExponents: {
      c.acc = normal_fp32(random, 1, 254);
      const uint32_t sign_and_fraction = c.scale & 0x807F;
      place(random, lowest_weight(c.acc) + static_cast<int>(random.between(-45, 30)), c);
      c.scale = (c.scale & 0x7F80) | sign_and_fraction;
      break;
    }
    case kTie: {  // an odd number of half ulps
      c.acc = normal_fp32(random, 2, 254);
      c.partial = 2 * random.between(-300, 300) + 1;
      place(random, lowest_weight(c.acc) - 1, c);
      break;
    }
    case kTieWithStickyBit: {
      c.acc = normal_fp32(random, 20, 254);
      const auto below = static_cast<int>(random.between(1, 28));
      c.partial = (2 * random.between(-60, 60) + 1) * (int64_t{1} << below) + nudge(random);
      place(random, lowest_weight(c.acc) - 1 - below, c);
      break;
    }
    case kExactCancellation: {
      c.acc = normal_fp32(random, 1, 254);
      c.partial = negative(c.acc) ? significand(c.acc) : -significand(c.acc);
      place(random, lowest_weight(c.acc), c);
      break;
    }
    case kNearCancellation: {
      c.acc = normal_fp32(random, 1, 254);
      const auto below = static_cast<int>(random.between(0, 13));
      const int64_t opposite = significand(c.acc) * (int64_t{1} << below);
      c.partial = (negative(c.acc) ? opposite : -opposite) +
                  nudge(random) * (int64_t{1} << random.between(0, below));
      place(random, lowest_weight(c.acc) - below, c);
      break;
    }
    case kOverflowEdge: {  // around half an ulp of the largest value, 2^103
      c.acc = (c.acc & 0x80000000) | (0x7F7FFFFF - static_cast<uint32_t>(random.below(3)));
      const auto below = static_cast<int>(random.between(1, 30));
      c.partial = (random.between(1, 4) * (int64_t{1} << below) / 2 + random.between(-1, 1)) *
                  (negative(c.acc) ? -1 : 1);
      place(random, 104 - below, c);
      break;
    }
    case kUnderflowEdge: {  // a result around 2^-126
      const auto below = static_cast<int>(random.between(20, 36));
      const int64_t edge = int64_t{1} << below;
      c.acc = random.chance(0.5)
                  ? c.acc & 0x80000000
                  : (c.acc & 0x80000000) | (0x00800000 + static_cast<uint32_t>(random.below(3)));
      const int64_t offset = random.chance(0.5)
                                 ? nudge(random)
                                 : nudge(random) * (int64_t{1} << std::max(0, below - 26));
      c.partial = (random.chance(0.3) ? 2 * edge : edge) + offset;
      if (random.chance(0.5)) c.partial = -c.partial;
      place(random, -126 - below, c);
      break;
    }
    case kHugeGap: {
      const bool acc_is_large = random.chance(0.5);
      c.acc = acc_is_large ? normal_fp32(random, 200, 254) : normal_fp32(random, 1, 40);
      if (random.chance(0.5)) c.acc &= 0xFF800000;  // a power of two: the addend decides the binade
      c.group_exponent =
          static_cast<int>(acc_is_large ? random.between(1, 60) : random.between(150, 200));
      c.scale =
          (c.scale & 0x807F) |
          static_cast<uint32_t>(acc_is_large ? random.between(1, 60) : random.between(150, 200))
              << 7;
      break;
    }
    case kMinimumCodes:  // sums of lanes at -128
      c.partial = -128 * random.between(-128 * 32640, 128 * 32640);
      place(random, lowest_weight(c.acc) + static_cast<int>(random.between(-30, 10)), c);
      break;
    case kZeroPartial:
      c.partial = 0;
      break;
    case kSubnormalScale:
      c.scale =
          static_cast<uint32_t>(random.below(2)) << 15 | static_cast<uint32_t>(random.below(128));
      break;
    case kSpecialOperand:
      if (random.chance(0.5)) {
        c.group_exponent = 255;
      } else {
        c.scale = 0x7F80 | static_cast<uint32_t>(random.below(2)) << 15 |
                  (random.chance(0.5) ? 0 : static_cast<uint32_t>(random.below(128)));
      }
      if (random.chance(0.3)) c.partial = 0;
      break;
    case kInfiniteAcc:
      c.acc = 0x7F800000 | (c.acc & 0x80000000);
      break;
    case kNanAcc:
      c.acc = 0x7FC00000;
      break;
  }
  return c;
}

}  // namespace rivulet
