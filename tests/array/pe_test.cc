// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The processing element against its definition (docs/array.md): d0 * x0 + d1 * x1 for two-bit
// digits, all sixteen digit pairs in every slot, bank and part, on extreme and random stationary
// integers, and the results hold while the stream is idle. Runs on the RTL of both kinds, and on
// their netlists.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "Vpe_packed.h"
#include "Vpe_packed_params.h"
#include "Vpe_select.h"
#include "Vpe_select_params.h"
#include "Vpe_table.h"
#include "Vpe_table_params.h"
#include "tb/options.h"
#include "tb/random.h"
#include "tb/simulation.h"

namespace rivulet {
namespace {

constexpr int kSlots = 4;
constexpr int kEntries = 16;
constexpr int kRounds = 50;

// The value of a two-bit digit: 0, 1, -2, -1.
int digit(unsigned bits) { return bits < 2 ? static_cast<int>(bits) : static_cast<int>(bits) - 4; }
int product_sum(unsigned entry, int x0, int x1) {
  return digit(entry & 3U) * x0 + digit(entry >> 2U) * x1;
}

template <typename Model, typename Params>
struct PeConfig {
  using Top = Model;
  using Parameters = Params;
};

template <typename Config>
class PeTest : public testing::Test {
 protected:
  static constexpr int kParts = Config::Parameters::kSubs;
  static constexpr int kAlignW = Config::Parameters::kAlignW;
  static constexpr unsigned kValueW = kAlignW + 2;

  struct Pair {
    int x0 = 0, x1 = 0;
  };

  void clock() {
    simulation_.settle();
    simulation_.edge();
  }

  // Writes the sixteen sums of one pair, in the order of their entries.
  void write(int bank, int part, const Pair& x) {
    top_.we_i = 1;
    top_.we_bank_i = static_cast<uint8_t>(bank);
    top_.we_sub_i = static_cast<uint8_t>(part);
    for (unsigned entry = 0; entry < kEntries; ++entry) {
      const auto value = static_cast<uint32_t>(product_sum(entry, x.x0, x.x1));
      top_.we_entry_i = static_cast<uint8_t>(entry);
      top_.we_value_i = value & ((1U << kValueW) - 1);
      clock();
    }
    top_.we_i = 0;
  }

  // Slot `slot` of the output, sign-extended.
  int sum(int slot) const {
    uint64_t bits = 0;
    for (unsigned b = 0; b < kValueW; ++b) {
      const unsigned at = kValueW * static_cast<unsigned>(slot) + b;
      bits |= static_cast<uint64_t>((top_.sum_o[at / 32] >> (at % 32)) & 1U) << b;
    }
    return static_cast<int>(static_cast<int64_t>(bits << (64 - kValueW)) >> (64 - kValueW));
  }

  int draw(Random& random) {
    const int most = (1 << (kAlignW - 1)) - 1;
    const std::array<int, 5> extremes{0, 1, -1, most, -most};
    const uint64_t which = random.below(8);
    return which < extremes.size() ? extremes[which]
                                   : static_cast<int>(random.between(-most, most));
  }

  Simulation<typename Config::Top> simulation_{options().seeds(1).front()};
  typename Config::Top& top_ = simulation_.top();
};

using PeConfigs =
    testing::Types<PeConfig<Vpe_table, Vpe_tableParams>, PeConfig<Vpe_packed, Vpe_packedParams>,
                   PeConfig<Vpe_select, Vpe_selectParams>>;
struct PeConfigName {
  template <typename Config>
  static std::string GetName(int) {
    if (Config::Parameters::kSubs == 1) return "packed";
    return Config::Parameters::kPeKind == 0 ? "table" : "select";
  }
};
TYPED_TEST_SUITE(PeTest, PeConfigs, PeConfigName);

TYPED_TEST(PeTest, EveryDigitPairInEverySlot) {
  constexpr int kParts = TestFixture::kParts;
  const uint64_t seed = options().seed.value_or(1);
  Random random(seed);
  int compared = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::array<std::array<typename TestFixture::Pair, kParts>, 2> pairs{};
    for (int bank = 0; bank < 2; ++bank) {
      for (int part = 0; part < kParts; ++part) {
        pairs[bank][part] = {.x0 = this->draw(random), .x1 = this->draw(random)};
        this->write(bank, part, pairs[bank][part]);
      }
    }
    for (int bank = 0; bank < 2; ++bank) {
      for (unsigned entry = 0; entry < kEntries; ++entry) {
        for (int first = 0; first < kParts; ++first) {
          // Every slot has its own digits and its own part of the group.
          std::array<int, kSlots> expected{};
          unsigned digits = 0, parts = 0;
          for (int slot = 0; slot < kSlots; ++slot) {
            const unsigned slot_entry = (entry + 5U * static_cast<unsigned>(slot)) % kEntries;
            const int part = (first + slot) % kParts;
            digits |= slot_entry << (4 * slot);
            parts |= static_cast<unsigned>(part) << (2 * slot);
            expected[slot] = product_sum(slot_entry, pairs[bank][part].x0, pairs[bank][part].x1);
          }
          this->top_.en_i = 1;
          this->top_.bank_i = static_cast<uint8_t>(bank);
          this->top_.sub_i = static_cast<uint8_t>(parts);
          this->top_.digits_i = static_cast<uint16_t>(digits);
          this->clock();
          this->top_.en_i = 0;
          this->top_.digits_i = static_cast<uint16_t>(random.next());
          if (random.chance(0.25)) this->clock();
          for (int slot = 0; slot < kSlots; ++slot) {
            ++compared;
            ASSERT_EQ(this->sum(slot), expected[slot]) << fmt::format(
                "seed {}, round {}, bank {}, slot {}, digits {:04x}, parts {:02x}; "
                "repeat: pe_test --seed {}",
                seed, round, bank, slot, digits, parts, seed);
          }
        }
      }
    }
  }
  EXPECT_EQ(compared, kRounds * 2 * kEntries * kParts * kSlots);
  fmt::print("compared {} sums, seed {}\n", compared, seed);
}

}  // namespace
}  // namespace rivulet
