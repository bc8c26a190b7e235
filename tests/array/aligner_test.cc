// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// rivulet_aligner: every port in every cycle against the cycle model, every aligned beat against
// the numerics library, throughput and latency.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "Valigner_12.h"
#include "Valigner_12_params.h"
#include "Valigner_16.h"
#include "Valigner_16_params.h"
#include "Valigner_32.h"
#include "Valigner_32_params.h"
#include "Valigner_unit.h"
#include "Valigner_unit_params.h"
#include "sw_model/array/aligner_model.h"
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
class AlignerBench {
 public:
  static constexpr unsigned kGroup = D::Params::kGroup;
  static constexpr unsigned kAlignW = D::Params::kAlignW;
  static constexpr unsigned kValues = D::Params::kValues;

  AlignerBench(uint64_t seed, const Stall& job, const Stall& x, const Stall& a)
      : bench_("aligner", seed),
        top_(bench_.top()),
        model_(kValues, kGroup),
        jobs_(bench_.template source_with<29>("job", stall_in_or(job), top_.job_valid_i,
                                              top_.job_ready_o,
                                              [this](const Bits<29>& word) {
                                                top_.job_rows_i = word.get(0, 16);
                                                top_.job_lanes_i = word.get(16, 8);
                                                top_.job_align_w_i = word.get(24, 5);
                                              })),
        x_(bench_.template source<16 * kValues>("x", stall_in_or(x), top_.x_valid_i, top_.x_ready_o,
                                                top_.x_i)),
        a_(bench_.sink("a", stall_out_or(a), top_.a_valid_o, top_.a_ready_i,
                       [this] { receive(); })) {
    bench_.reset();
  }

  void add_job(size_t rows, size_t lanes, int align_w, ValueClasses& values) {
    Random& random = bench_.random();
    Bits<29> job;
    job.set(0, 16, rows);
    job.set(16, 8, lanes);
    job.set(24, 5, static_cast<uint64_t>(align_w));
    jobs_.push(job);
    for (size_t row = 0; row < rows; ++row) {
      std::vector<Bf16> x(lanes);
      for (Bf16& value : x) value.bits = static_cast<uint16_t>(values.draw(random));
      std::vector<int16_t> a(lanes);
      const uint8_t exponent = align_group(x, align_w, a);
      for (size_t first = 0; first < lanes; first += kValues) {
        Bits<16 * kValues> beat;
        Beat expected{.a = {}, .exponent = exponent, .last = first + kValues >= lanes};
        for (size_t i = 0; i < kValues; ++i) {
          const bool loaded = first + i < lanes;
          const uint64_t noise = random.next();
          beat.set(static_cast<unsigned>(16 * i), 16, loaded ? x[first + i].bits : noise);
          if (loaded) expected.a[i] = a[first + i];
        }
        x_.push(beat);
        expected_.push_back(expected);
      }
    }
    beats_ += rows * ((lanes + kValues - 1) / kValues);
  }
  void run() {
    const auto check = [this] { compare_cycle(); };
    bench_.run([this] { return expected_.empty() && jobs_.empty(); }, check);
    for (int i = 0; i < 10 && bench_.running(); ++i) bench_.cycle(check);
  }
  bool finish() {
    Scoreboard& scoreboard = bench_.scoreboard();
    for (const char* port : {"job_ready_o", "x_ready_o", "a_valid_o"}) {
      scoreboard.channel(port).expect(cycles_);
    }
    scoreboard.channel("a").expect(beats_);
    return bench_.finish();
  }
  uint64_t cycles() const { return cycles_; }
  uint64_t beats() const { return beats_; }
  // Cycles in which beats were accepted, and in which aligned ones left.
  const std::vector<uint64_t>& x_cycles() const { return x_cycles_; }
  const std::vector<uint64_t>& beat_cycles() const { return beat_cycles_; }

 private:
  struct Beat {
    std::array<int16_t, kValues> a{};
    uint8_t exponent = 0;
    bool last = false;
  };
  // An aligned beat as the bits that travel: the integers, the exponent, last.
  using BeatBits = Bits<16 * kValues + 9>;
  static BeatBits bits_of(const Beat& beat) {
    BeatBits bits;
    for (unsigned i = 0; i < kValues; ++i) {
      bits.set(16 * i, 16, static_cast<uint16_t>(beat.a[i]));
    }
    bits.set(16 * kValues, 8, beat.exponent);
    bits.set(16 * kValues + 8, 1, beat.last ? 1 : 0);
    return bits;
  }

  void compare_cycle() {
    std::array<Bf16, kValues> x;
    const auto x_bits = read_port<16 * kValues>(top_.x_i);
    for (unsigned i = 0; i < kValues; ++i) {
      x[i].bits = static_cast<uint16_t>(x_bits.get(16 * i, 16));
    }
    const AlignerModel::Inputs in{.job_valid = top_.job_valid_i != 0,
                                  .job_rows = top_.job_rows_i,
                                  .job_lanes = top_.job_lanes_i,
                                  .job_align_w = top_.job_align_w_i,
                                  .x_valid = top_.x_valid_i != 0,
                                  .x = x.data(),
                                  .a_ready = top_.a_ready_i != 0};
    const AlignerModel::Outputs want = model_.outputs(in);
    Scoreboard& scoreboard = bench_.scoreboard();
    const auto flag = [](bool value) { return static_cast<uint64_t>(value); };
    scoreboard.channel("job_ready_o").compare(flag(want.job_ready), uint64_t{top_.job_ready_o});
    scoreboard.channel("x_ready_o").compare(flag(want.x_ready), uint64_t{top_.x_ready_o});
    scoreboard.channel("a_valid_o").compare(flag(want.a_valid), uint64_t{top_.a_valid_o});
    if (top_.a_valid_o != 0) {
      Beat expected{.a = {}, .exponent = want.a_exponent, .last = want.a_last};
      std::copy_n(want.a, kValues, expected.a.begin());
      scoreboard.channel("a_o (held)").expect(1);
      scoreboard.channel("a_o (held)").compare(bits_of(expected), bits_of(output()));
    }
    if (in.x_valid && want.x_ready) x_cycles_.push_back(bench_.cycle());
    model_.clock(in);
    ++cycles_;
  }
  Beat output() const {
    Beat beat{.a = {}, .exponent = top_.a_exponent_o, .last = top_.a_last_o != 0};
    const auto bits = read_port<kValues * kAlignW>(top_.a_o);
    for (unsigned i = 0; i < kValues; ++i) {
      const uint64_t raw = bits.get(kAlignW * i, kAlignW);
      const uint64_t sign = uint64_t{1} << (kAlignW - 1);
      beat.a[i] =
          static_cast<int16_t>(static_cast<int64_t>(raw ^ sign) - static_cast<int64_t>(sign));
    }
    return beat;
  }
  void receive() {
    if (expected_.empty()) {
      bench_.scoreboard().error("a beat that nobody asked for");
      return;
    }
    bench_.scoreboard().channel("a").compare(bits_of(expected_.front()), bits_of(output()));
    expected_.pop_front();
    beat_cycles_.push_back(bench_.cycle());
  }

  Bench<typename D::Top> bench_;
  typename D::Top& top_;
  AlignerModel model_;
  Source<29>& jobs_;
  Source<16 * kValues>& x_;
  Sink& a_;
  std::deque<Beat> expected_;
  std::vector<uint64_t> x_cycles_;
  std::vector<uint64_t> beat_cycles_;
  uint64_t beats_ = 0;
  uint64_t cycles_ = 0;
};

template <typename D>
class AlignerTest : public testing::Test {};
using Duts =
    testing::Types<Dut<Valigner_unit, Valigner_unitParams>, Dut<Valigner_12, Valigner_12Params>,
                   Dut<Valigner_16, Valigner_16Params>, Dut<Valigner_32, Valigner_32Params>>;
TYPED_TEST_SUITE(AlignerTest, Duts);

// Random jobs under stalls; all value classes, or finite ones only.
TYPED_TEST(AlignerTest, RandomJobs) {
  using B = AlignerBench<TypeParam>;
  const std::vector<Stall> stalls{Stall::never(), Stall::random(0.1), Stall::random(0.9),
                                  Stall::alternate(), Stall::bursts(7, 5)};
  for (const char* domain : {"bf16", "bf16_finite"}) {
    ValueClasses values(domain);
    for (const uint64_t seed : options().seeds(5)) {
      for (size_t i = 0; i < stalls.size(); ++i) {
        B bench(seed, stalls[(i + 2) % 5], stalls[i], stalls[(2 * i + seed) % 5]);
        Random random(seed * 10 + i);
        for (int job = 0; job < 12; ++job) {
          bench.add_job(1 + random.below(4), 1 + random.below(B::kGroup),
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
TYPED_TEST(AlignerTest, EveryLaneCount) {
  using B = AlignerBench<TypeParam>;
  ValueClasses values("bf16_finite");
  B bench(1, Stall::never(), Stall::never(), Stall::never());
  for (size_t lanes = 1; lanes <= B::kGroup; ++lanes) {
    bench.add_job(2, lanes, lanes % 2 == 0 ? kMinAlignWidth : static_cast<int>(B::kAlignW), values);
  }
  bench.run();
  EXPECT_TRUE(bench.finish());
}

// One beat per cycle from the first to the last, over rows and jobs: of full length, of a single
// beat, and mixed.
TYPED_TEST(AlignerTest, FullThroughput) {
  using B = AlignerBench<TypeParam>;
  ValueClasses values("bf16_finite");
  for (const size_t shape : {0, 1, 2}) {
    B bench(2, Stall::never(), Stall::never(), Stall::never());
    for (size_t job = 0; job < 12; ++job) {
      const size_t mixed = 1 + (job * 37) % B::kGroup;
      const size_t lanes = std::array<size_t, 3>{B::kGroup, 1, mixed}.at(shape);
      bench.add_job(5, lanes, B::kAlignW, values);
    }
    bench.run();
    ASSERT_TRUE(bench.finish());
    ASSERT_EQ(bench.x_cycles().size(), bench.beats());
    EXPECT_EQ(bench.x_cycles().back() - bench.x_cycles().front() + 1, bench.beats());
  }
}

// The first beat of a row leaves a fixed number of cycles after its last beat was accepted.
TYPED_TEST(AlignerTest, Latency) {
  using B = AlignerBench<TypeParam>;
  ValueClasses values("bf16_finite");
  for (const size_t lanes : {size_t{1}, size_t{B::kValues + 1}, size_t{B::kGroup}}) {
    B bench(3, Stall::never(), Stall::never(), Stall::never());
    bench.add_job(1, lanes, B::kAlignW, values);
    bench.run();
    ASSERT_TRUE(bench.finish());
    EXPECT_EQ(bench.beat_cycles().front() - bench.x_cycles().back(),
              AlignerModel::latency(B::kValues));
    EXPECT_EQ(bench.beat_cycles().back() - bench.beat_cycles().front() + 1, bench.beats());
  }
}

}  // namespace
}  // namespace rivulet
