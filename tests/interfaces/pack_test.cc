// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Every generated struct: packing is the inverse of unpacking, and no field is forgotten.

#include <gtest/gtest.h>

#include "sw_model/interfaces/wire/every_struct.h"
#include "sw_model/interfaces/wire/rivulet_pkg.h"
#include "tb/options.h"
#include "tb/random.h"
#include "tb/wire_bits.h"
#include "tb/wire_port.h"

namespace rivulet {
namespace {

template <typename Struct>
class PackTest : public ::testing::Test {};
using EveryStruct = wire::EveryStruct<::testing::Types>;
TYPED_TEST_SUITE(PackTest, EveryStruct);

template <typename Struct>
Bits<Struct::kBits> random_bits(Random& random) {
  typename Struct::Words words{};
  for (uint64_t& word : words) word = random.next();
  return Bits<Struct::kBits>(words);
}

TYPED_TEST(PackTest, RandomBitsComeBack) {
  constexpr int kRounds = 1'000;
  Random random(options().seeds(1).front());
  int compared = 0;
  for (int i = 0; i < kRounds; ++i) {
    const auto bits = random_bits<TypeParam>(random);
    const auto value = struct_of<TypeParam>(bits);
    ASSERT_EQ(hex(bits_of(value)), hex(bits));
    ASSERT_TRUE(TypeParam::unpack(value.pack()) == value);
    ++compared;
  }
  EXPECT_EQ(compared, kRounds);
}

// Each bit on its own is part of a field: without it the value is another one.
TYPED_TEST(PackTest, EveryBitCounts) {
  EXPECT_TRUE(TypeParam{}.pack() == typename TypeParam::Words{});
  for (unsigned bit = 0; bit < TypeParam::kBits; ++bit) {
    Bits<TypeParam::kBits> bits;
    bits.set(bit, 1, 1);
    const auto value = struct_of<TypeParam>(bits);
    EXPECT_FALSE(value == TypeParam{}) << "bit " << bit << " is in no field";
    EXPECT_EQ(hex(bits_of(value)), hex(bits)) << "bit " << bit;
  }
}

// A struct somewhere in a vector: across words, and with what stands beside it.
TYPED_TEST(PackTest, AnyPlaceInAVector) {
  constexpr size_t kWords = Bits<TypeParam::kBits>::kWords + 2;
  Random random(options().seeds(1).front());
  for (unsigned low = 0; low < 64; ++low) {
    const auto value = struct_of<TypeParam>(random_bits<TypeParam>(random));
    std::array<uint64_t, kWords> words{};
    if (low > 0) wire::put_bits(words, 0, low, ~uint64_t{0});
    value.put(words, low);
    wire::put_bits(words, low + TypeParam::kBits, 5, 0x1F);
    EXPECT_TRUE(TypeParam::get(words, low) == value) << "at bit " << low;
    if (low > 0) {
      EXPECT_EQ(wire::get_bits<uint64_t>(words, 0, low), wire::low_bits(low));
    }
  }
}

TEST(PackNumbersTest, SignedNumbersKeepTheirSign) {
  for (int number = -256; number < 256; ++number) {
    wire::View view;
    view.theta_p = static_cast<int16_t>(number);
    const wire::View back = wire::View::unpack(view.pack());
    ASSERT_EQ(back.theta_p, number);
    ASSERT_EQ(back.theta_n, 0);
  }
}

TEST(PackNumbersTest, WhatIsTooWideIsCut) {
  wire::Load load;
  load.align_w = 32 + 7;  // five bits
  EXPECT_EQ(wire::Load::unpack(load.pack()).align_w, 7);
  EXPECT_EQ(wire::Load::unpack(load.pack()).slot, 0);
}

TEST(PackNumbersTest, ElementZeroOfAnArrayIsLowest) {
  wire::ConverterCounters counters;
  counters.beats = {1, 2, 3, 4};
  const auto bits = bits_of(counters);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(bits.get(48 * i, 48), i + 1);
}

}  // namespace
}  // namespace rivulet
