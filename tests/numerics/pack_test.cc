// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §10: every bit of every beat, against a list of bits.

#include "sw_model/numerics/pack.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tb/random.h"
#include "tb/value_classes.h"
#include "tests/numerics/compared.h"

namespace rivulet {
namespace {

ValueClasses codes_of(Tier tier) {
  return ValueClasses(tier == Tier::kQ8 ? "q8_code" : (tier == Tier::kQ4 ? "q4_code" : "q2_code"));
}

TEST(Pack, EveryBitOfEveryBeat) {
  const uint64_t seed = test_seed();
  Random random(seed);
  Compared bits_compared("packed bits", seed);
  Compared sizes("packed sizes", seed);
  Compared round_trip("unpacked codes", seed);
  uint64_t expected_bits = 0;
  uint64_t expected_codes = 0;
  for (const Tier tier : {Tier::kQ8, Tier::kQ4, Tier::kQ2}) {
    const auto width = static_cast<size_t>(bits_per_code(tier));
    ValueClasses values = codes_of(tier);
    for (const int link_bits : {64, 128, 192, 256, 512}) {
      for (size_t n = 0; n <= 300; ++n) {
        std::vector<int8_t> codes(n);
        for (int8_t& code : codes) code = values.code(random);
        const std::vector<uint64_t> beats = pack_codes(codes, tier, link_bits);
        // The request as a list of bits: codes from lane 0 up, each from its lowest bit up.
        std::vector<bool> bits;
        for (const int8_t code : codes) {
          for (size_t bit = 0; bit < width; ++bit) bits.push_back((code >> bit & 1) != 0);
        }
        while (bits.size() % static_cast<size_t>(link_bits) != 0) bits.push_back(false);
        const auto describe = [&] {
          return fmt::format("{} codes of {} bits, link {}", n, width, link_bits);
        };
        sizes.equal(bits.size(), beats.size() * 64, describe);
        sizes.equal(bits.size() / static_cast<size_t>(link_bits), beat_count(n, tier, link_bits),
                    describe);
        for (size_t i = 0; i < bits.size(); ++i) {
          bits_compared.equal(int{bits[i]}, static_cast<int>(beats.at(i / 64) >> (i % 64) & 1),
                              describe);
        }
        expected_bits += bits.size();
        const std::vector<int8_t> unpacked = unpack_codes(beats, n, tier);
        sizes.equal(n, unpacked.size(), describe);
        for (size_t i = 0; i < n; ++i)
          round_trip.equal(int{codes[i]}, int{unpacked.at(i)}, describe);
        expected_codes += n;
      }
    }
    EXPECT_EQ(values.never_drawn(), "");
  }
  sizes.done(3 * 5 * 301 * 3);
  bits_compared.done(expected_bits);
  round_trip.done(expected_codes);
}

TEST(Pack, EveryCodeInEveryPlace) {
  Compared compared("codes in place");
  uint64_t expected = 0;
  for (const int width : {8, 4, 2}) {
    const Tier tier = tier_from_bits(width);
    const int low = tier == Tier::kQ2 ? -1 : -(1 << (width - 1));
    const int high = (1 << (width - 1)) - 1;
    for (int code = low; code <= high; ++code) {
      for (size_t lane = 0; lane < 128; ++lane) {
        std::vector<int8_t> codes(128);
        codes[lane] = static_cast<int8_t>(code);
        const std::vector<int8_t> unpacked = unpack_codes(pack_codes(codes, tier), 128, tier);
        compared.holds(unpacked == codes,
                       [&] { return fmt::format("code {} in lane {}", code, lane); });
        ++expected;
      }
    }
  }
  EXPECT_EQ(expected, (256U + 16 + 3) * 128);
  compared.done(expected);
}

TEST(Pack, UnitSizesAndBytes) {
  EXPECT_EQ(beat_count(128, Tier::kQ8), 16U);
  EXPECT_EQ(beat_count(128, Tier::kQ4), 8U);
  EXPECT_EQ(beat_count(128, Tier::kQ2), 4U);
  EXPECT_EQ(beat_count(128, Tier::kQ0), 0U);
  EXPECT_EQ(beat_count(0, Tier::kQ8), 0U);
  EXPECT_TRUE(pack_codes(std::vector<int8_t>(5), Tier::kQ0).empty());
  EXPECT_TRUE(unpack_codes({}, 5, Tier::kQ0).empty());
  const std::vector<uint64_t> beats = {0x0807060504030201, 0x100F0E0D0C0B0A09};
  const std::vector<uint8_t> bytes = beat_bytes(beats);
  ASSERT_EQ(bytes.size(), 16U);
  for (size_t i = 0; i < 16; ++i) EXPECT_EQ(bytes[i], i + 1);
}

TEST(Pack, RefusesWrongArguments) {
  const auto pack_one = [](int code, Tier tier) {
    return pack_codes(std::vector<int8_t>{static_cast<int8_t>(code)}, tier);
  };
  EXPECT_THROW(pack_one(8, Tier::kQ4), std::invalid_argument);
  EXPECT_THROW(pack_one(-9, Tier::kQ4), std::invalid_argument);
  EXPECT_THROW(pack_one(2, Tier::kQ2), std::invalid_argument);
  EXPECT_THROW(pack_one(-2, Tier::kQ2), std::invalid_argument);
  for (const int link_bits : {-64, 0, 32, 96}) {
    EXPECT_THROW(beat_count(1, Tier::kQ8, link_bits), std::invalid_argument);
    EXPECT_THROW(pack_codes(std::vector<int8_t>(1), Tier::kQ8, link_bits), std::invalid_argument);
  }
  EXPECT_THROW(unpack_codes(std::vector<uint64_t>(1), 9, Tier::kQ8), std::invalid_argument);
}

}  // namespace
}  // namespace rivulet
