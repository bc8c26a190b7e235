// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// rivulet_bf16_stream: every port in every cycle against the cycle model, every code beat against
// the numerics library, throughput.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "Vbf16_stream_edge.h"
#include "Vbf16_stream_edge_params.h"
#include "Vbf16_stream_narrow.h"
#include "Vbf16_stream_narrow_params.h"
#include "Vbf16_stream_unit.h"
#include "Vbf16_stream_unit_params.h"
#include "sw_model/array/bf16_stream_model.h"
#include "sw_model/numerics/align.h"
#include "tb/bench.h"
#include "tb/value_classes.h"

namespace rivulet {
namespace {

template <typename TopType, typename ParamsType>
struct Dut {
  using Top = TopType;
  using Params = ParamsType;
};

template <typename D>
class Bf16StreamBench {
 public:
  static constexpr unsigned kLanes = D::Params::kLanes;
  static constexpr unsigned kGroup = D::Params::kGroup;
  static constexpr unsigned kAlignW = D::Params::kAlignW;
  static constexpr unsigned kValues = kLanes / 2;
  // A code beat as the bits that travel: bytes, exponent, last of its unit.
  using Beat = Bits<8 * kLanes + 9>;

  Bf16StreamBench(uint64_t seed, const Stall& job, const Stall& w, const Stall& code)
      : bench_("bf16_stream", seed),
        top_(bench_.top()),
        model_(kLanes, kGroup),
        jobs_(bench_.template source_with<29>("job", stall_in_or(job), top_.job_valid_i,
                                              top_.job_ready_o,
                                              [this](const Bits<29>& word) {
                                                top_.job_units_i = word.get(0, 16);
                                                top_.job_lanes_i = word.get(16, 8);
                                                top_.job_align_w_i = word.get(24, 5);
                                              })),
        w_(bench_.template source<8 * kLanes>("w", stall_in_or(w), top_.w_valid_i, top_.w_ready_o,
                                              top_.w_i)),
        code_(bench_.sink("code", stall_out_or(code), top_.code_valid_o, top_.code_ready_i,
                          [this] { receive(); })) {
    bench_.reset();
  }

  void add_job(unsigned units, unsigned lanes, int align_w, ValueClasses& values) {
    Bits<29> job;
    job.set(0, 16, units);
    job.set(16, 8, lanes);
    job.set(24, 5, static_cast<uint64_t>(align_w));
    jobs_.push(job);
    for (unsigned unit = 0; unit < units; ++unit) add_unit(lanes, align_w, values);
  }
  void run() {
    const auto check = [this] { compare_cycle(); };
    bench_.run([this] { return expected_.empty() && jobs_.empty(); }, check);
    for (int i = 0; i < 8 && bench_.running(); ++i) bench_.cycle(check);
  }
  bool finish() {
    Scoreboard& scoreboard = bench_.scoreboard();
    for (const char* port : {"job_ready_o", "w_ready_o", "code_valid_o"}) {
      scoreboard.channel(port).expect(cycles_);
    }
    scoreboard.channel("code").expect(beats_);
    return bench_.finish();
  }
  uint64_t beats() const { return beats_; }
  const std::vector<uint64_t>& beat_cycles() const { return beat_cycles_; }

 private:
  void add_unit(unsigned lanes, int align_w, ValueClasses& values) {
    Random& random = bench_.random();
    std::vector<Bf16> w(lanes);
    for (Bf16& value : w) value.bits = static_cast<uint16_t>(values.draw(random));
    std::vector<int16_t> aligned(lanes);
    const uint8_t exponent = align_group(w, align_w, aligned);
    for (unsigned first = 0; first < lanes; first += kValues) {
      Bits<8 * kLanes> beat;
      for (unsigned i = 0; i < kValues; ++i) {  // noise beyond the last lane
        beat.set(16 * i, 16, first + i < lanes ? w[first + i].bits : random.next());
      }
      w_.push(beat);
    }
    for (unsigned first = 0; first < lanes; first += kLanes) {
      for (const bool high : {false, true}) {
        Beat beat;
        for (unsigned i = 0; i < kLanes && first + i < lanes; ++i) {
          const auto bits = static_cast<uint16_t>(aligned[first + i]);
          beat.set(8 * i, 8, high ? bits >> 8 : bits & 0xFF);
        }
        beat.set(8 * kLanes, 8, exponent);
        beat.set(8 * kLanes + 8, 1, high && first + kLanes >= lanes ? 1 : 0);
        expected_.push_back(beat);
        ++beats_;
      }
    }
  }
  void compare_cycle() {
    std::array<Bf16, kValues> w;
    const auto w_bits = read_port<8 * kLanes>(top_.w_i);
    for (unsigned i = 0; i < kValues; ++i) {
      w[i].bits = static_cast<uint16_t>(w_bits.get(16 * i, 16));
    }
    const Bf16StreamModel::Inputs in{.job_valid = top_.job_valid_i != 0,
                                     .job_units = top_.job_units_i,
                                     .job_lanes = top_.job_lanes_i,
                                     .job_align_w = top_.job_align_w_i,
                                     .w_valid = top_.w_valid_i != 0,
                                     .w = w.data(),
                                     .code_ready = top_.code_ready_i != 0};
    const Bf16StreamModel::Outputs want = model_.outputs(in);
    Scoreboard& scoreboard = bench_.scoreboard();
    const auto flag = [](bool value) { return static_cast<uint64_t>(value); };
    scoreboard.channel("job_ready_o").compare(flag(want.job_ready), uint64_t{top_.job_ready_o});
    scoreboard.channel("w_ready_o").compare(flag(want.w_ready), uint64_t{top_.w_ready_o});
    scoreboard.channel("code_valid_o").compare(flag(want.code_valid), uint64_t{top_.code_valid_o});
    if (top_.code_valid_o != 0) {
      Beat expected;
      for (unsigned i = 0; i < kLanes; ++i) {
        expected.set(8 * i, 8, static_cast<uint8_t>(want.code->codes[i]));
      }
      expected.set(8 * kLanes, 8, want.code->exponent);
      expected.set(8 * kLanes + 8, 1, flag(want.code_last));
      scoreboard.channel("code (held)").expect(1);
      scoreboard.channel("code (held)").compare(expected, output());
    }
    model_.clock(in);
    ++cycles_;
  }
  Beat output() const {
    Beat beat;
    const auto code = read_port<8 * kLanes>(top_.code_o);
    for (unsigned i = 0; i < kLanes; ++i) beat.set(8 * i, 8, code.get(8 * i, 8));
    beat.set(8 * kLanes, 8, top_.exponent_o);
    beat.set(8 * kLanes + 8, 1, top_.code_last_o);
    return beat;
  }
  void receive() {
    if (expected_.empty()) {
      bench_.scoreboard().error("a beat that nobody asked for");
      return;
    }
    bench_.scoreboard().channel("code").compare(expected_.front(), output());
    expected_.pop_front();
    beat_cycles_.push_back(bench_.cycle());
  }

  Bench<typename D::Top> bench_;
  typename D::Top& top_;
  Bf16StreamModel model_;
  Source<29>& jobs_;
  Source<8 * kLanes>& w_;
  Sink& code_;
  std::deque<Beat> expected_;
  std::vector<uint64_t> beat_cycles_;
  uint64_t beats_ = 0;
  uint64_t cycles_ = 0;
};

template <typename D>
class Bf16StreamTest : public testing::Test {};
using Duts = testing::Types<Dut<Vbf16_stream_unit, Vbf16_stream_unitParams>,
                            Dut<Vbf16_stream_narrow, Vbf16_stream_narrowParams>,
                            Dut<Vbf16_stream_edge, Vbf16_stream_edgeParams>>;
TYPED_TEST_SUITE(Bf16StreamTest, Duts);

// Random jobs under stalls; all value classes, or finite ones only.
TYPED_TEST(Bf16StreamTest, RandomJobs) {
  using B = Bf16StreamBench<TypeParam>;
  const std::vector<Stall> stalls{Stall::never(), Stall::random(0.1), Stall::random(0.9),
                                  Stall::alternate(), Stall::bursts(7, 5)};
  for (const char* domain : {"bf16", "bf16_finite"}) {
    ValueClasses values(domain);
    for (const uint64_t seed : options().seeds(5)) {
      for (size_t i = 0; i < stalls.size(); ++i) {
        B bench(seed, stalls[(i + 2) % 5], stalls[i], stalls[(2 * i + seed) % 5]);
        Random random(seed * 10 + i);
        for (int job = 0; job < 12; ++job) {
          bench.add_job(1 + static_cast<unsigned>(random.below(6)),
                        1 + static_cast<unsigned>(random.below(B::kGroup)),
                        static_cast<int>(random.between(kMinAlignWidth, B::kAlignW)), values);
        }
        bench.run();
        ASSERT_TRUE(bench.finish());
      }
    }
    EXPECT_EQ(values.never_drawn(), "");
  }
}

// Every number of lanes, the widths 9 and AlignW.
TYPED_TEST(Bf16StreamTest, EveryLaneCount) {
  using B = Bf16StreamBench<TypeParam>;
  ValueClasses values("bf16_finite");
  B bench(1, Stall::never(), Stall::never(), Stall::never());
  for (unsigned lanes = 1; lanes <= B::kGroup; ++lanes) {
    bench.add_job(2, lanes, lanes % 2 == 0 ? kMinAlignWidth : static_cast<int>(B::kAlignW), values);
  }
  bench.run();
  EXPECT_TRUE(bench.finish());
}

// One code beat per cycle from the first to the last, over units and jobs, also where a unit fills
// half a beat only.
TYPED_TEST(Bf16StreamTest, FullThroughput) {
  using B = Bf16StreamBench<TypeParam>;
  ValueClasses values("bf16_finite");
  for (const unsigned lanes : {B::kGroup, B::kLanes / 2}) {
    B bench(2, Stall::never(), Stall::never(), Stall::never());
    for (int job = 0; job < 4; ++job) bench.add_job(10, lanes, B::kAlignW, values);
    bench.run();
    ASSERT_TRUE(bench.finish());
    EXPECT_EQ(bench.beat_cycles().back() - bench.beat_cycles().front() + 1, bench.beats());
  }
}

}  // namespace
}  // namespace rivulet
