// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// rivulet_drain with its result queues: every port in every cycle against the cycle model, every
// beat against what docs/array.md and docs/numerics.md §3 say of it, latency, throughput, and a
// queue that is exactly full. The test plays the array: it allocates quads, writes them word by
// word, and says which one is done.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "Vdrain_1_1_4_1.h"
#include "Vdrain_1_1_4_1_params.h"
#include "Vdrain_3_1_16_2.h"
#include "Vdrain_3_1_16_2_params.h"
#include "Vdrain_4_2_32_1.h"
#include "Vdrain_4_2_32_1_params.h"
#include "Vdrain_4_4_64_4.h"
#include "Vdrain_4_4_64_4_params.h"
#include "Vdrain_6_4_24_3.h"
#include "Vdrain_6_4_24_3_params.h"
#include "Vdrain_8_1_16_4.h"
#include "Vdrain_8_1_16_4_params.h"
#include "sw_model/array/drain_model.h"
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

// RN_bf16 of FP32 bits that are neither subnormal nor a NaN with a payload (docs/numerics.md §3).
uint32_t rounded(uint32_t u) {
  if ((u & 0x7FFFFFFF) > 0x7F800000) return 0x7FC0;
  return (u + 0x7FFF + ((u >> 16) & 1)) >> 16;
}

template <typename D>
class DrainBench {
 public:
  static constexpr size_t kPositions = D::Params::kPositions;
  static constexpr size_t kEdges = D::Params::kEdges;
  static constexpr size_t kYRows = D::Params::kYRows;
  static constexpr size_t kQuads = D::Params::kDepth / 4;
  static constexpr size_t kReads = 4 / kEdges;
  static constexpr size_t kMostBeats = (kPositions + kYRows - 1) / kYRows;

  // `writing` stalls the writes of results.
  DrainBench(uint64_t seed, const Stall& alloc, const Stall& writing, const Stall& y)
      : bench_("drain", seed),
        top_(bench_.top()),
        queue_(kPositions, 4 * kQuads),
        model_(queue_, kEdges, kYRows),
        writing_(writing),
        alloc_(bench_.template source_with<12>("alloc", stall_in_or(alloc), top_.alloc_valid_i,
                                               top_.alloc_ready_o,
                                               [this](const Bits<12>& word) {
                                                 top_.alloc_rows_i = word.get(0, 8);
                                                 top_.alloc_columns_i = word.get(8, 3);
                                                 top_.alloc_last_i = word.get(11, 1);
                                               })),
        y_(bench_.sink("y", stall_out_or(y), top_.y_valid_o, top_.y_ready_i,
                       [this] { receive(); })) {
    top_.quad_done_i = 0;
    top_.wr_i = 0;
    bench_.reset();
  }

  // A quad to be allocated, written and sent, in this order.
  void add_quad(size_t rows, size_t columns, bool last) {
    Quad quad{.rows = rows, .columns = columns, .last = last};
    for (auto& row : quad.acc) {
      for (uint32_t& acc : row) acc = draw();
    }
    for (size_t row = 0; row < rows; row += kYRows) {
      Beat beat;
      for (size_t r = 0; r < std::min(kYRows, rows - row); ++r) {
        for (size_t c = 0; c < columns; ++c) {
          const uint32_t acc = quad.acc[row + r][c];
          beat.set(static_cast<unsigned>(32 * (4 * r + c)), 32, acc);
          beat.set(static_cast<unsigned>(128 * kYRows + 16 * (4 * r + c)), 16, rounded(acc));
        }
      }
      beat.set(kBeatBits - 1, 1, last && row + kYRows >= rows ? 1 : 0);
      expected_.push_back(beat);
      ++beats_;
    }
    Bits<12> word;
    word.set(0, 8, rows);
    word.set(8, 3, columns);
    word.set(11, 1, last ? 1 : 0);
    alloc_.push(word);
    quads_.push_back(quad);
  }
  void cycle() {
    write();
    bench_.cycle([this] { compare_cycle(); });
  }
  void run() {
    while (bench_.running() && !expected_.empty()) cycle();
    for (int i = 0; i < 5 && bench_.running(); ++i) cycle();
  }
  // Cycles in which nothing is written, so that no quad is done.
  void run_without_writes(unsigned cycles) {
    held_ = true;
    for (unsigned i = 0; i < cycles && bench_.running(); ++i) cycle();
    held_ = false;
  }
  bool finish() {
    Scoreboard& scoreboard = bench_.scoreboard();
    for (const char* port : {"alloc_ready_o", "alloc_addr_o", "y_valid_o"}) {
      scoreboard.channel(port).expect(cycles_);
    }
    scoreboard.channel("y_o, acc_o, y_last_o").expect(beats_);
    if (!quads_.empty() || !open_.empty()) scoreboard.error("quads are left");
    return bench_.finish();
  }
  Random& random() { return bench_.random(); }
  bool running() const { return bench_.running(); }
  size_t allocated() const { return alloc_.transfers(); }
  uint64_t beats() const { return beats_; }
  const std::vector<uint64_t>& beat_cycles() const { return beat_cycles_; }
  const std::vector<uint64_t>& done_cycles() const { return done_cycles_; }

 private:
  static constexpr unsigned kBeatBits = 192 * kYRows + 1;  // FP32, BF16, last
  using Beat = Bits<kBeatBits>;
  struct Quad {
    size_t rows = 0;
    size_t columns = 0;
    bool last = false;
    std::array<std::array<uint32_t, 4>, kPositions> acc{};
    size_t number = 0;  // in the queue
  };

  // A partial sum: never a subnormal, its NaN is canonical.
  uint32_t draw() {
    const float acc = fp32_from_bits(static_cast<uint32_t>(values_.draw(random())));
    return fp32_bits(fp32_is_nan(acc) ? kFp32CanonicalNan : fp32_read(acc));
  }
  // Writes one column or the rest of a word of the oldest open quad, as the edge units would.
  void write() {
    Bits<32 * kPositions * kEdges> data;
    Bits<kPositions * kEdges> enable;
    for (unsigned low = 0; low < 32 * kPositions * kEdges; low += 64) {
      data.set(low, 64, random().next());
    }
    const bool stalled = writing_.next(random(), done_cycles_.size());
    size_t word = 0;
    top_.quad_done_i = 0;
    if (!open_.empty() && !stalled && !held_) {
      const Quad& quad = open_.front();
      word = quad.number * kReads + column_ / kEdges;
      const size_t word_end = std::min(quad.columns, (column_ / kEdges + 1) * kEdges);
      const size_t end = random().chance(0.2) ? column_ + 1 : word_end;
      for (; column_ < end; ++column_) {
        for (size_t m = 0; m < quad.rows; ++m) {
          const auto queue = static_cast<unsigned>(kEdges * m + column_ % kEdges);
          enable.set(queue, 1, 1);
          data.set(32 * queue, 32, quad.acc[m][column_]);
          queue_.at(quad.number, column_, m) = fp32_from_bits(quad.acc[m][column_]);
        }
      }
      top_.quad_done_i = column_ == quad.columns;
    }
    write_port(top_.wr_i, enable);
    write_port(top_.wr_data_i, data);
    top_.wr_addr_i = static_cast<std::decay_t<decltype(top_.wr_addr_i)>>(word);
  }
  void compare_cycle() {
    const DrainModel::Inputs in{.alloc_valid = top_.alloc_valid_i != 0,
                                .alloc_rows = top_.alloc_rows_i,
                                .alloc_columns = top_.alloc_columns_i,
                                .alloc_last = top_.alloc_last_i != 0,
                                .quad_done = top_.quad_done_i != 0,
                                .y_ready = top_.y_ready_i != 0};
    const DrainModel::Outputs want = model_.outputs();
    Scoreboard& board = bench_.scoreboard();
    const auto number = [](auto value) { return static_cast<uint64_t>(value); };
    board.channel("alloc_ready_o").compare(number(want.alloc_ready), number(top_.alloc_ready_o));
    board.channel("alloc_addr_o").compare(want.alloc_quad * kReads, number(top_.alloc_addr_o));
    board.channel("y_valid_o").compare(number(want.y_valid), number(top_.y_valid_o));
    if (top_.y_valid_o != 0) {
      Beat beat;
      for (unsigned r = 0; r < kYRows; ++r) {
        for (unsigned c = 0; c < 4; ++c) beat.set(128 * r + 32 * c, 32, want.acc[r][c]);
        beat.set(128 * kYRows + 64 * r, 64, want.y[r]);
      }
      beat.set(kBeatBits - 1, 1, number(want.y_last));
      board.channel("y_o, acc_o, y_last_o (held)").expect(1);
      board.channel("y_o, acc_o, y_last_o (held)").compare(beat, output());
    }
    if (top_.quad_done_i != 0) {
      open_.pop_front();
      column_ = 0;
      done_cycles_.push_back(bench_.cycle());
    }
    if (in.alloc_valid && want.alloc_ready) {
      quads_.front().number = want.alloc_quad;
      open_.push_back(quads_.front());
      quads_.pop_front();
    }
    model_.clock(in);
    ++cycles_;
  }
  Beat output() const {
    Beat beat;
    const auto acc = read_port<128 * kYRows>(top_.acc_o);
    const auto y = read_port<64 * kYRows>(top_.y_o);
    for (unsigned low = 0; low < 128 * kYRows; low += 64) beat.set(low, 64, acc.get(low, 64));
    for (unsigned low = 0; low < 64 * kYRows; low += 64) {
      beat.set(128 * kYRows + low, 64, y.get(low, 64));
    }
    beat.set(kBeatBits - 1, 1, top_.y_last_o);
    return beat;
  }
  void receive() {
    if (expected_.empty()) {
      bench_.scoreboard().error("a beat that nobody asked for");
      return;
    }
    bench_.scoreboard().channel("y_o, acc_o, y_last_o").compare(expected_.front(), output());
    expected_.pop_front();
    beat_cycles_.push_back(bench_.cycle());
  }

  Bench<typename D::Top> bench_;
  typename D::Top& top_;
  ValueClasses values_{"fp32"};
  ResultQueueModel queue_;
  DrainModel model_;
  Stall writing_;
  Source<12>& alloc_;
  Sink& y_;
  std::deque<Quad> quads_;  // to be allocated
  std::deque<Quad> open_;   // allocated, not done
  size_t column_ = 0;       // next one of the oldest open quad
  bool held_ = false;
  std::deque<Beat> expected_;
  std::vector<uint64_t> beat_cycles_;
  std::vector<uint64_t> done_cycles_;
  uint64_t beats_ = 0;
  uint64_t cycles_ = 0;
};

template <typename D>
class DrainTest : public testing::Test {};
using Duts = testing::Types<
    Dut<Vdrain_1_1_4_1, Vdrain_1_1_4_1Params>, Dut<Vdrain_4_2_32_1, Vdrain_4_2_32_1Params>,
    Dut<Vdrain_3_1_16_2, Vdrain_3_1_16_2Params>, Dut<Vdrain_6_4_24_3, Vdrain_6_4_24_3Params>,
    Dut<Vdrain_8_1_16_4, Vdrain_8_1_16_4Params>, Dut<Vdrain_4_4_64_4, Vdrain_4_4_64_4Params>>;
struct DutName {
  template <typename D>
  static std::string GetName(int) {
    using P = typename D::Params;
    return fmt::format("positions{}_edges{}_depth{}_rows{}", P::kPositions, P::kEdges, P::kDepth,
                       P::kYRows);
  }
};
TYPED_TEST_SUITE(DrainTest, Duts, DutName);

// Quads of any shape under stalls of all three sides.
TYPED_TEST(DrainTest, RandomQuads) {
  using B = DrainBench<TypeParam>;
  const std::vector<Stall> stalls{Stall::never(), Stall::random(0.2), Stall::random(0.9),
                                  Stall::alternate(), Stall::bursts(9, 7)};
  for (const uint64_t seed : options().seeds(3)) {
    for (size_t i = 0; i < stalls.size(); ++i) {
      for (size_t j = 0; j < stalls.size(); ++j) {
        B bench(seed, stalls[(i + j + seed) % 5], stalls[i], stalls[j]);
        for (int quad = 0; quad < 60; ++quad) {
          bench.add_quad(1 + bench.random().below(B::kPositions), 1 + bench.random().below(4),
                         bench.random().chance(0.2));
        }
        bench.run();
        ASSERT_TRUE(bench.finish());
      }
    }
  }
}

// No quad is done: exactly kQuads of them are given out. Then all of them are sent, twice.
TYPED_TEST(DrainTest, ExactlyFull) {
  using B = DrainBench<TypeParam>;
  B bench(1, Stall::never(), Stall::never(), Stall::never());
  for (int round = 1; round <= 2; ++round) {
    for (size_t quad = 0; quad < B::kQuads + 1; ++quad) bench.add_quad(B::kPositions, 4, true);
    bench.run_without_writes(B::kQuads + 10);
    EXPECT_EQ(bench.allocated(), (round - 1) * (B::kQuads + 1) + B::kQuads);
    bench.run();
  }
  EXPECT_TRUE(bench.finish());
}

// The first beat leaves 3 + 4 / Edges cycles after its quad is done.
TYPED_TEST(DrainTest, Latency) {
  using B = DrainBench<TypeParam>;
  B bench(2, Stall::never(), Stall::never(), Stall::never());
  bench.add_quad(B::kPositions, 4, true);
  bench.run();
  ASSERT_TRUE(bench.finish());
  EXPECT_EQ(bench.beat_cycles().front() - bench.done_cycles().front(), 3 + B::kReads);
}

// Quads that are all done before the output is free follow each other in max(beats, 4 / Edges)
// cycles, with every number of rows: no gap where a quad has enough beats.
TYPED_TEST(DrainTest, FullThroughput) {
  using B = DrainBench<TypeParam>;
  for (size_t rows = 1; rows <= B::kPositions; ++rows) {
    // Held back until the queue and what is read ahead are full.
    B bench(rows, Stall::never(), Stall::never(), Stall::at_transfer(0, 20 * B::kQuads));
    for (size_t quad = 0; quad < B::kQuads; ++quad) bench.add_quad(rows, 4, false);
    bench.run();
    ASSERT_TRUE(bench.finish());
    const uint64_t beats = (rows + B::kYRows - 1) / B::kYRows;
    const std::vector<uint64_t>& cycles = bench.beat_cycles();
    ASSERT_EQ(cycles.size(), beats * B::kQuads);
    for (size_t quad = 0; quad < B::kQuads; ++quad) {
      EXPECT_EQ(cycles[quad * beats + beats - 1] - cycles[quad * beats] + 1, beats);
      if (quad < 4) continue;  // what has been read ahead leaves without a wait
      const uint64_t distance = cycles[quad * beats] - cycles[(quad - 1) * beats];
      EXPECT_EQ(distance, std::max<uint64_t>(beats, B::kReads)) << "quad " << quad;
    }
  }
}

}  // namespace
}  // namespace rivulet
