// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// rivulet_code_feed and rivulet_dot_row against the definition of a group partial
// (docs/numerics.md §5): sum of x * c over the lanes, for units of every stream one after the
// other, two stationary tiles, pauses, and the latency of docs/array.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <vector>

#include "Vdot_row_edge.h"
#include "Vdot_row_edge_params.h"
#include "Vdot_row_half.h"
#include "Vdot_row_half_params.h"
#include "Vdot_row_q8.h"
#include "Vdot_row_q8_params.h"
#include "Vdot_row_unit.h"
#include "Vdot_row_unit_params.h"
#include "Vdot_row_whole.h"
#include "Vdot_row_whole_params.h"
#include "tb/bench.h"
#include "tb/options.h"

namespace rivulet {
namespace {

template <typename TopType, typename ParamsType>
struct Dut {
  using Top = TopType;
  using Params = ParamsType;
};

enum Stream : int { kBf16 = 0, kQ2 = 1, kQ4 = 2, kQ8 = 3 };  // as stream_e

constexpr unsigned levels(unsigned inputs) {
  unsigned count = 0;
  for (; inputs > 1; inputs = (inputs + 2) / 3) ++count;
  return count;
}

template <typename D>
class DotRowBench {
 public:
  using P = typename D::Params;
  static constexpr unsigned kLanes = P::kLanes;
  static constexpr unsigned kGroup = P::kGroup;
  static constexpr unsigned kSubs = kGroup / kLanes;
  static constexpr unsigned kPairs = 4;
  static constexpr unsigned kValueW = P::kAlignW + 2;
  static constexpr unsigned kGroupBits = std::bit_width(kGroup) - 1;
  static constexpr unsigned kBiasW = P::kAlignW + kGroupBits + 14;
  static constexpr unsigned kPartialW = 2 * P::kAlignW + kGroupBits - 1;
  static constexpr unsigned kEdges = kSubs < 4 && P::kQ8Only == 0 ? 4 / kSubs : 1;
  // Share of tiles, and of units, whose values are all the largest of one sign: sums at the bounds
  // that their widths come from.
  static constexpr double kLargest = 0.3;
  static constexpr unsigned kLatency = 2 + levels(kLanes / 2) + 3;

  explicit DotRowBench(uint64_t seed)
      : bench_("dot row", seed, {.max_cycles = 10'000'000, .max_idle_cycles = ~uint64_t{0}}),
        top_(bench_.top()) {
    top_.valid_i = 0;
    top_.we_i = 0;
    bench_.reset();
  }

  Random& random() { return bench_.random(); }
  bool running() const { return bench_.running(); }

  // New stationary integers of a bank that is not in use; beyond `lanes` they are zero.
  void load(unsigned bank, unsigned lanes) {
    const int most = (1 << (P::kAlignW - 1)) - (1 << (P::kAlignW - 9));
    int64_t sum = 0;
    lanes_[bank] = lanes;
    const bool largest = random().chance(kLargest);
    const int64_t one_sign = random().chance(0.5) ? most : -most;
    for (unsigned lane = 0; lane < kGroup; ++lane) {
      const std::array<int64_t, 4> draws{most, -most, 0, random().between(-most, most)};
      const int64_t value = largest ? one_sign : draws[std::min<size_t>(random().below(8), 3)];
      x_[bank][lane] = lane < lanes ? value : 0;
      sum += x_[bank][lane];
    }
    bias_q4_.set(kBiasW * bank, kBiasW, static_cast<uint64_t>(2 * sum));
    bias_q8_.set(kBiasW * bank, kBiasW, static_cast<uint64_t>(42 * sum));
    bias_bf16_.set(kBiasW * bank, kBiasW, static_cast<uint64_t>(10922 * sum));
    write_port(top_.bias_q4_i, bias_q4_);
    write_port(top_.bias_q8_i, bias_q8_);
    write_port(top_.bias_bf16_i, bias_bf16_);
    top_.we_bank_i = bank;
    for (unsigned select = 0; select < kLanes / (2 * kPairs); ++select) {
      for (unsigned sub = 0; sub < kSubs; ++sub) {
        for (unsigned entry = 0; entry < 16; ++entry) {
          Bits<kValueW * kPairs> values;
          for (unsigned p = 0; p < kPairs; ++p) {
            const unsigned lane = sub * kLanes + 2 * (select * kPairs + p);
            const int64_t value =
                digit(entry & 3) * x_[bank][lane] + digit(entry >> 2) * x_[bank][lane + 1];
            values.set(kValueW * p, kValueW, static_cast<uint64_t>(value));
          }
          write_port(top_.we_value_i, values);
          top_.we_i = 1U << select;
          top_.we_sub_i = sub;
          top_.we_entry_i = entry;
          cycle();
        }
      }
    }
    top_.we_i = 0;
  }

  // The units of one beat or of several ones, with random codes, and pauses between the beats.
  void stream(Stream stream, unsigned bank, double pause) {
    const unsigned bits = stream == kQ2 ? 2 : (stream == kQ4 ? 4 : 8);
    const unsigned per_beat = 8 * kLanes / bits;
    const unsigned units = std::max(1U, per_beat / kGroup);
    const unsigned lanes = kEdges > 1 ? kGroup : lanes_[bank];
    const unsigned parts = (lanes + per_beat - 1) / per_beat;  // beats of one byte of the values
    const unsigned beats = stream == kBf16 ? 2 * parts : parts;
    std::vector<int64_t> codes(static_cast<size_t>(parts) * per_beat);
    const int64_t most =
        stream == kBf16 ? (1 << (P::kAlignW - 1)) - (1 << (P::kAlignW - 9)) : (1 << (bits - 1)) - 1;
    const int64_t least = stream == kBf16 ? -most : -most - 1;
    const bool largest = random().chance(kLargest);
    const int64_t one_sign = random().chance(0.5) ? most : least;
    for (int64_t& code : codes) {
      const std::array<int64_t, 3> draws{most, least, random().between(least, most)};
      code = largest ? one_sign : draws[std::min<size_t>(random().below(8), 2)];
    }
    for (unsigned beat = 0; beat < beats; ++beat) {
      while (random().chance(pause)) cycle();
      Bits<8 * kLanes> word;
      const unsigned part = stream == kBf16 ? beat / 2 : beat;
      const unsigned shift = stream == kBf16 ? 8 * (beat % 2) : 0;
      for (unsigned i = 0; i < per_beat; ++i) {
        word.set(bits * i, bits, static_cast<uint64_t>(codes[part * per_beat + i] >> shift));
      }
      write_port(top_.beat_i, word);
      top_.valid_i = 1;
      top_.stream_i = stream;
      top_.bank_i = bank;
      top_.cycle_i = beat;
      top_.start_i = beat == 0;
      top_.done_i = beat + 1 == beats;
      if (beat + 1 == beats) expect(stream, bank, units, codes);
      cycle();
      top_.valid_i = 0;
      top_.stream_i = random().below(4);
      top_.start_i = random().below(2);
      top_.done_i = random().below(2);
    }
  }
  bool finish() {
    for (unsigned i = 0; i < kLatency + 2; ++i) cycle();
    if (!expected_.empty()) bench_.scoreboard().error("units are left");
    bench_.scoreboard().channel("partial_o").expect(units_);
    return bench_.finish();
  }
  void idle() {
    for (unsigned i = 0; i < kLatency; ++i) cycle();
  }

 private:
  struct Beat {
    uint64_t cycle = 0;
    Stream stream = kQ8;
    std::vector<int64_t> partials;
  };

  static int64_t digit(unsigned bits) { return bits < 2 ? bits : static_cast<int64_t>(bits) - 4; }
  static uint64_t masked(int64_t value) {
    return static_cast<uint64_t>(value) & ((uint64_t{1} << kPartialW) - 1);
  }
  void expect(Stream stream, unsigned bank, unsigned units, const std::vector<int64_t>& codes) {
    Beat beat{.cycle = bench_.cycle() + kLatency, .stream = stream, .partials = {}};
    for (unsigned u = 0; u < units; ++u) {
      int64_t partial = 0;
      for (unsigned lane = 0; lane < kGroup && u * kGroup + lane < codes.size(); ++lane) {
        partial += x_[bank][lane] * codes[u * kGroup + lane];
      }
      beat.partials.push_back(partial);
    }
    units_ += units;
    expected_.push_back(beat);
  }
  void cycle() {
    bench_.cycle([this] { compare(); });
  }
  void compare() {
    Scoreboard& board = bench_.scoreboard();
    const bool due = !expected_.empty() && expected_.front().cycle == bench_.cycle();
    if (due != (top_.done_o != 0)) board.error("a unit ends in the wrong cycle");
    if (!due) return;
    const auto got = read_port<kEdges * kPartialW>(top_.partial_o);
    const Beat& beat = expected_.front();
    for (unsigned u = 0; u < beat.partials.size(); ++u) {
      board.channel("partial_o")
          .compare(masked(beat.partials[u]), got.get(kPartialW * u, kPartialW));
    }
    expected_.pop_front();
  }

  Bench<typename D::Top> bench_;
  typename D::Top& top_;
  std::array<std::array<int64_t, kGroup>, 2> x_{};
  std::array<unsigned, 2> lanes_{};
  Bits<2 * kBiasW> bias_q4_;
  Bits<2 * kBiasW> bias_q8_;
  Bits<2 * kBiasW> bias_bf16_;
  std::deque<Beat> expected_;
  uint64_t units_ = 0;
};

template <typename D>
class DotRowTest : public testing::Test {};
using Duts =
    testing::Types<Dut<Vdot_row_unit, Vdot_row_unitParams>, Dut<Vdot_row_edge, Vdot_row_edgeParams>,
                   Dut<Vdot_row_half, Vdot_row_halfParams>,
                   Dut<Vdot_row_whole, Vdot_row_wholeParams>, Dut<Vdot_row_q8, Vdot_row_q8Params>>;
TYPED_TEST_SUITE(DotRowTest, Duts);

TYPED_TEST(DotRowTest, RandomUnits) {
  using B = DotRowBench<TypeParam>;
  for (const uint64_t seed : options().seeds(5)) {
    B bench(seed);
    for (int round = 0; round < 12 && bench.running(); ++round) {
      for (const unsigned bank : {0U, 1U}) {
        bench.load(bank, round % 3 == 0 ? B::kGroup : 1 + bench.random().below(B::kGroup));
      }
      const double pause = std::array{0.0, 0.2, 0.7}[bench.random().below(3)];
      for (int unit = 0; unit < 200 && bench.running(); ++unit) {
        const bool q8_only = TypeParam::Params::kQ8Only != 0;
        const auto stream = q8_only ? (bench.random().chance(0.5) ? kQ8 : kBf16)
                                    : static_cast<Stream>(bench.random().below(4));
        bench.stream(stream, bench.random().below(2), pause);
      }
      bench.idle();
    }
    ASSERT_TRUE(bench.finish());
  }
}

}  // namespace
}  // namespace rivulet
