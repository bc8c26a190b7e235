// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// rivulet_edge: every port in every cycle against the cycle model, whose arithmetic is that of the
// numerics library. Random updates of weighted classes, and a sweep of the exponent distance.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "Vedge_unit.h"
#include "Vedge_unit_params.h"
#include "Vedge_wide.h"
#include "Vedge_wide_params.h"
#include "sw_model/array/edge_model.h"
#include "sw_model/numerics/fp32.h"
#include "tb/bench.h"
#include "tb/value_classes.h"

namespace rivulet {
namespace {

template <typename TopType, typename ParamsType>
struct Dut {
  using Top = TopType;
  using Params = ParamsType;
};

std::string decode(uint64_t bits) {
  return fmt::format("{:.9g}", fp32_from_bits(static_cast<uint32_t>(bits)));
}

template <typename D>
class EdgeBench {
 public:
  static constexpr unsigned kAddresses = 1U << D::Params::kAddrW;
  static constexpr uint64_t kTags = uint64_t{1} << D::Params::kTagW;
  static constexpr int kAlignW = D::Params::kAlignW;
  // Bits of the largest magnitudes of partials: codes, and aligned streams.
  static constexpr int64_t kMaxCodePartial =
      int64_t{D::Params::kGroup} * 128 * ((1 << (kAlignW - 1)) - (1 << (kAlignW - 9)));
  static constexpr int64_t kMaxAligned = (1 << (kAlignW - 1)) - (1 << (kAlignW - 9));
  static constexpr int64_t kMaxStreamPartial =
      int64_t{D::Params::kGroup} * kMaxAligned * kMaxAligned;
  explicit EdgeBench(uint64_t seed)
      : bench_("edge", seed, {.max_cycles = 10'000'000, .max_idle_cycles = ~uint64_t{0}}),
        top_(bench_.top()),
        memory_(kAddresses),
        last_use_(kAddresses) {
    top_.valid_i = 0;
    for (float& acc : memory_) acc = fp32_from_bits(static_cast<uint32_t>(values_.draw(random())));
    for (float& acc : memory_) {  // a partial sum is never a subnormal, its NaN is canonical
      acc = fp32_is_nan(acc) ? kFp32CanonicalNan : fp32_read(acc);
    }
    model_.reset();
    bench_.reset();
  }

  Random& random() { return bench_.random(); }
  bool running() const { return bench_.running(); }
  bool free(uint32_t address) const {
    return bench_.cycle() >= last_use_[address] + EdgeModel::kDistance;
  }
  float memory(uint32_t address) const { return memory_[address]; }
  void poke(uint32_t address, float acc) { memory_[address] = acc; }

  void cycle(EdgeModel::Inputs in) {
    if (in.valid) last_use_[in.address] = bench_.cycle();
    in.acc = acc_;
    drive(in);
    bench_.cycle([&] { compare(); });
    const EdgeModel::Outputs out = model_.outputs();
    acc_ = fetched_;
    fetched_ = out.read ? memory_[out.read_address]
                        : fp32_from_bits(static_cast<uint32_t>(random().next()));
    if (out.write) memory_[out.write_address] = out.acc;
    model_.clock(in);
  }
  void idle(unsigned cycles) {
    for (unsigned i = 0; i < cycles; ++i) cycle(noise());
  }
  bool finish() {
    idle(EdgeModel::kStages + 3);
    Scoreboard& scoreboard = bench_.scoreboard();
    for (const char* port : {"rd_o", "wr_o"}) scoreboard.channel(port).expect(bench_.cycle() - 3);
    scoreboard.channel("rd_addr_o").expect(reads_);
    for (const char* port : {"wr_addr_o", "wr_tag_o", "acc_o", "saturated_o"}) {
      scoreboard.channel(port).expect(updates_);
    }
    return bench_.finish();
  }
  void count(const EdgeModel::Inputs& in) {
    ++updates_;
    reads_ += in.first ? 0 : 1;
  }
  // Inputs that are not valid.
  EdgeModel::Inputs noise() {
    return {.valid = false,
            .partial = static_cast<int64_t>(random().next() >> 40),
            .unit_scale = random().chance(0.5),
            .scale = Bf16{static_cast<uint16_t>(random().next())},
            .exponent = static_cast<int>(random().between(-300, 200)),
            .special = random().chance(0.5),
            .first = random().chance(0.5),
            .carry = random().chance(0.5),
            .address = static_cast<uint32_t>(random().below(kAddresses)),
            .tag = random().below(kTags)};
  }

 private:
  void drive(const EdgeModel::Inputs& in) {
    constexpr unsigned kPartialW = 2 * kAlignW + std::bit_width(unsigned{D::Params::kGroup}) - 2;
    top_.valid_i = in.valid;
    write_port(top_.partial_i, Bits<kPartialW>(static_cast<uint64_t>(in.partial)));
    top_.unit_scale_i = in.unit_scale;
    top_.scale_i = in.scale.bits;
    write_port(top_.exponent_i, Bits<11>(static_cast<uint64_t>(static_cast<int64_t>(in.exponent))));
    top_.special_i = in.special;
    top_.first_i = in.first;
    top_.carry_i = in.carry;
    top_.addr_i = static_cast<std::decay_t<decltype(top_.addr_i)>>(in.address);
    top_.tag_i = static_cast<std::decay_t<decltype(top_.tag_i)>>(in.tag);
    top_.acc_i = fp32_bits(in.acc);
  }
  void compare() {
    const EdgeModel::Outputs want = model_.outputs();
    Scoreboard& board = bench_.scoreboard();
    const auto number = [](auto value) { return static_cast<uint64_t>(value); };
    board.channel("rd_o").compare(number(want.read), number(top_.rd_o));
    board.channel("wr_o").compare(number(want.write), number(top_.wr_o));
    if (want.read) {
      board.channel("rd_addr_o").compare(number(want.read_address), number(top_.rd_addr_o));
    }
    if (want.write) {
      board.channel("wr_addr_o").compare(number(want.write_address), number(top_.wr_addr_o));
      board.channel("wr_tag_o").compare(want.write_tag, number(top_.wr_tag_o));
      board.channel("acc_o").compare(number(fp32_bits(want.acc)), number(top_.acc_o), decode);
      board.channel("saturated_o").compare(number(want.saturated), number(top_.saturated_o));
    }
  }

  Bench<typename D::Top> bench_;
  typename D::Top& top_;
  ValueClasses values_{"fp32"};
  EdgeModel model_;
  std::vector<float> memory_;
  std::vector<uint64_t> last_use_;
  float fetched_ = 0;  // in the first register of a read
  float acc_ = 0;      // in the second one
  uint64_t updates_ = 0;
  uint64_t reads_ = 0;
};

// One update of the class at `address`, whose partial sum is known.
template <typename B>
EdgeModel::Inputs make_update(B& bench, size_t kind, uint32_t address, ValueClasses& scales) {
  Random& random = bench.random();
  EdgeModel::Inputs in{.valid = true, .address = address, .tag = random.below(B::kTags)};
  in.unit_scale = random.chance(0.3);
  in.scale = Bf16{static_cast<uint16_t>(scales.draw(random))};
  in.first = random.chance(0.1);
  const int64_t limit = in.unit_scale ? B::kMaxStreamPartial : B::kMaxCodePartial;
  const uint64_t magnitude = static_cast<uint64_t>(limit) >> random.below(36);
  in.partial = static_cast<int64_t>(random.below(magnitude + 1));
  if (random.chance(0.5)) in.partial = -in.partial;
  const auto exponent = [&](int group_exponent, int other) {
    const int e = group_exponent - 125 - B::kAlignW;
    return in.unit_scale ? e + other - 125 - B::kAlignW : e + in.scale.field() - 134;
  };
  const auto field = [&] { return static_cast<int>(random.below(255)); };
  in.exponent = exponent(field(), field());
  const uint32_t acc = fp32_bits(bench.memory(address));
  const int acc_field = static_cast<int>((acc >> 23) & 255);
  const auto acc_significand = static_cast<int64_t>((acc & 0x7FFFFF) | 0x800000);
  const int64_t against = (acc >> 31) != 0 ? 1 : -1;
  switch (kind) {
    case 1:
      in.partial = 0;
      break;
    case 2:
      in.partial = random.chance(0.5) ? limit : -limit;
      break;
    case 3:
    case 4:  // the addend is -acc, or a little beside it
      in.unit_scale = true;
      in.partial = against * (acc_significand + (kind == 4 ? random.between(-3, 3) : 0));
      in.exponent = acc_field - 150;
      break;
    case 5:  // an odd number of half units in the last place, or one more or less
      in.unit_scale = true;
      in.partial = (random.between(-9, 9) * 2 + 1) * 16 + random.between(-1, 1);
      in.exponent = acc_field - 151 - 4;
      break;
    case 6:
      in.exponent = exponent(254 - static_cast<int>(random.below(12)),
                             254 - static_cast<int>(random.below(120)));
      break;
    case 7:
      in.exponent = -126 - static_cast<int>(random.below(40));
      break;
    case 8:
      in.special = true;
      break;
    case 9:
      in.carry = true;
      in.special = random.chance(0.3);
      break;
    default:
      break;
  }
  return in;
}

template <typename D>
class EdgeTest : public testing::Test {};
using Duts = testing::Types<Dut<Vedge_unit, Vedge_unitParams>, Dut<Vedge_wide, Vedge_wideParams>>;
TYPED_TEST_SUITE(EdgeTest, Duts);

TYPED_TEST(EdgeTest, RandomUpdates) {
  using B = EdgeBench<TypeParam>;
  constexpr const char* kFile = "tests/data/edge_classes.json";
  WeightedChoice classes(
      "edge",
      {"random", "zero_partial", "largest_partial", "exact_cancellation", "near_cancellation",
       "tie", "near_overflow", "near_underflow", "special_operand", "carry"},
      kFile);
  ValueClasses scales("bf16_finite");
  for (const uint64_t seed : options().seeds(5)) {
    B bench(seed);
    for (int i = 0; i < 60'000 && bench.running(); ++i) {
      const auto address = static_cast<uint32_t>(bench.random().below(B::kAddresses));
      EdgeModel::Inputs in = bench.noise();
      if (bench.free(address) && bench.random().chance(0.9)) {
        in = make_update(bench, classes.pick(bench.random()), address, scales);
        bench.count(in);
      }
      bench.cycle(in);
    }
    ASSERT_TRUE(bench.finish());
  }
  EXPECT_EQ(classes.never_picked(), "");
  EXPECT_EQ(scales.never_drawn(), "");
}

// A carried partial sum keeps every bit, or becomes +0, whatever the operands are.
TYPED_TEST(EdgeTest, Carries) {
  using B = EdgeBench<TypeParam>;
  for (const uint64_t seed : options().seeds(3)) {
    B bench(seed);
    for (const bool first : {false, true}) {
      std::vector<uint32_t> expected;
      for (uint32_t address = 0; address < B::kAddresses; ++address) {
        expected.push_back(first ? 0 : fp32_bits(bench.memory(address)));
        EdgeModel::Inputs in = bench.noise();
        in.valid = in.carry = true;
        in.first = first;
        in.address = address;
        bench.count(in);
        bench.cycle(in);
      }
      bench.idle(EdgeModel::kStages + 1);
      for (uint32_t address = 0; address < B::kAddresses; ++address) {
        ASSERT_EQ(fp32_bits(bench.memory(address)), expected[address]) << "address " << address;
      }
    }
    ASSERT_TRUE(bench.finish());
  }
}

// Every distance of the exponents, in both orders, both signs, down to a lone sticky bit.
TYPED_TEST(EdgeTest, ExponentDistances) {
  using B = EdgeBench<TypeParam>;
  B bench(0);
  std::vector<int64_t> partials;
  for (const int bits : {0, 1, 7, 22, 23, 24, 25, 28}) {
    const int64_t power = int64_t{1} << bits;
    for (const int64_t partial : {power - 1, power, power + 1}) {
      if (partial <= B::kMaxCodePartial) partials.push_back(partial);
    }
  }
  const std::array<uint32_t, 6> accs{0x3F800000, 0x3F800001, 0x3FFFFFFF,
                                     0x3FC00000, 0x00000000, 0x3FAAAAAA};
  uint32_t address = 0;
  for (int gap = -70; gap <= 70; ++gap) {
    for (const int64_t partial : partials) {
      for (const uint32_t acc : accs) {
        for (const int signs : {0, 1, 2, 3}) {
          address = (address + 1) % B::kAddresses;
          bench.poke(address, fp32_from_bits(acc | ((signs & 1) != 0 ? 0x80000000U : 0)));
          const EdgeModel::Inputs in{.valid = true,
                                     .partial = (signs & 2) != 0 ? -partial : partial,
                                     .unit_scale = true,
                                     .exponent = gap,
                                     .address = address};
          bench.count(in);
          bench.cycle(in);
          if (!bench.running()) {
            FAIL() << "gap " << gap << " partial " << partial << " acc " << acc;
          }
        }
      }
    }
  }
  EXPECT_TRUE(bench.finish());
}

}  // namespace
}  // namespace rivulet
