// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// rivulet_x_store: every port in every cycle against the cycle model, every beat and job against
// what the commands ask for, throughput and latency.

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <vector>

#include "Vx_store_edge.h"
#include "Vx_store_edge_params.h"
#include "Vx_store_none.h"
#include "Vx_store_none_params.h"
#include "Vx_store_unit.h"
#include "Vx_store_unit_params.h"
#include "sw_model/array/x_store_model.h"
#include "tb/bench.h"
#include "tb/wire_bits.h"
#include "tb/wire_port.h"

namespace rivulet {
namespace {

template <typename TopType, typename ParamsType>
struct Dut {
  using Top = TopType;
  using Params = ParamsType;
};

template <typename D>
class XStoreBench {
 public:
  static constexpr unsigned kXValues = D::Params::kXValues;
  static constexpr unsigned kPositions = D::Params::kPositions;
  static constexpr unsigned kGroup = D::Params::kGroup;
  static constexpr unsigned kXTiles = D::Params::kXTiles;

  XStoreBench(uint64_t seed, const Stall& load, const Stall& x, const Stall& job, const Stall& out)
      : bench_("x_store", seed),
        top_(bench_.top()),
        model_({.x_values = kXValues, .positions = kPositions, .group = kGroup, .slots = kXTiles}),
        loads_(bench_.template source_with<wire::Load::kBits>(
            "load", stall_in_or(load), top_.load_valid_i, top_.load_ready_o,
            [this](const LoadBits& word) { drive_load(word); })),
        x_(bench_.template source<16 * kXValues>("x", stall_in_or(x), top_.x_valid_i,
                                                 top_.x_ready_o, top_.x_i)),
        jobs_(bench_.sink("job", stall_out_or(job), top_.job_valid_o, top_.job_ready_i,
                          [this] { receive_job(); })),
        out_(bench_.sink("out", stall_out_or(out), top_.out_valid_o, top_.out_ready_i,
                         [this] { receive_beat(); })),
        slots_(kXTiles) {
    bench_.reset();
  }

  Random& random() { return bench_.random(); }

  // A tile from the port, kept in `slot` unless that is kNoSlot.
  static constexpr int kNoSlot = -1;
  void add_port_load(int rows, int lanes, int slot) {
    const bool keep = slot != kNoSlot;
    add_load({.keep = keep,
              .slot = keep ? slot : static_cast<int>(random().below(1 << 16)),
              .align_w = static_cast<int>(random().between(9, 16)),
              .rows = rows,
              .lanes = lanes});
    std::vector<Beat> beats;
    for (int i = 0; i < rows * beats_of_row(lanes); ++i) {
      Beat beat;
      for (unsigned low = 0; low < 16 * kXValues; low += 64) beat.set(low, 64, random().next());
      beats.push_back(beat);
      x_.push(beat);
      expected_.push_back(beat);
    }
    beats_ += beats.size();
    if (keep) slots_[static_cast<size_t>(slot)] = {.rows = rows, .lanes = lanes, .beats = beats};
  }
  // The first `rows` rows of a kept tile.
  void add_store_load(int slot, int rows) {
    const Slot& kept = slots_[static_cast<size_t>(slot)];
    add_load({.from_store = true,
              .slot = slot,
              .align_w = static_cast<int>(random().between(9, 16)),
              .rows = rows,
              .lanes = kept.lanes});
    const int count = rows * beats_of_row(kept.lanes);
    expected_.insert(expected_.end(), kept.beats.begin(), kept.beats.begin() + count);
    beats_ += static_cast<uint64_t>(count);
  }
  // Rows kept in a slot; 0: none yet.
  int kept_rows(int slot) const { return slots_[static_cast<size_t>(slot)].rows; }

  void run() {
    const auto check = [this] { compare_cycle(); };
    bench_.run([this] { return expected_.empty() && expected_jobs_.empty(); }, check);
    for (int i = 0; i < 5 && bench_.running(); ++i) bench_.cycle(check);
  }
  bool finish() {
    Scoreboard& scoreboard = bench_.scoreboard();
    for (const char* port : {"load_ready_o", "x_ready_o", "job_valid_o", "out_valid_o"}) {
      scoreboard.channel(port).expect(cycles_);
    }
    scoreboard.channel("job").expect(load_count_);
    scoreboard.channel("beat").expect(beats_);
    return bench_.finish();
  }

  uint64_t beats() const { return beats_; }
  // Cycles in which commands and x beats were accepted, and in which beats left.
  const std::vector<uint64_t>& load_cycles() const { return load_cycles_; }
  const std::vector<uint64_t>& x_cycles() const { return x_cycles_; }
  const std::vector<uint64_t>& out_cycles() const { return out_cycles_; }

 private:
  using Beat = Bits<16 * kXValues>;
  using LoadBits = Bits<wire::Load::kBits>;
  using JobBits = Bits<21>;
  struct Slot {
    int rows = 0;
    int lanes = 0;
    std::vector<Beat> beats;
  };

  static int beats_of_row(int lanes) {
    return (lanes + static_cast<int>(kXValues) - 1) / static_cast<int>(kXValues);
  }
  static JobBits job_bits(uint64_t rows, uint64_t lanes, uint64_t align_w) {
    return JobBits(rows | lanes << 8 | align_w << 16);
  }
  static JobBits job_bits(const TileLoad& load) {
    return job_bits(static_cast<uint64_t>(load.rows), static_cast<uint64_t>(load.lanes),
                    static_cast<uint64_t>(load.align_w));
  }

  void add_load(const TileLoad& load) {
    loads_.push(bits_of(to_wire(load)));
    queue_.push_back(load);
    expected_jobs_.push_back(load);
    ++load_count_;
  }
  // Noise while no command is offered.
  void drive_load(const LoadBits& word) { write_port(top_.load_i, word); }

  void compare_cycle() {
    std::array<Bf16, kXValues> x;
    const auto x_bits = read_port<16 * kXValues>(top_.x_i);
    for (unsigned i = 0; i < kXValues; ++i) {
      x[i].bits = static_cast<uint16_t>(x_bits.get(16 * i, 16));
    }
    const XStoreModel::Inputs in{.load_valid = top_.load_valid_i != 0,
                                 .load = queue_.empty() ? TileLoad{} : queue_.front(),
                                 .x_valid = top_.x_valid_i != 0,
                                 .x = x.data(),
                                 .job_ready = top_.job_ready_i != 0,
                                 .out_ready = top_.out_ready_i != 0};
    const XStoreModel::Outputs want = model_.outputs(in);
    Scoreboard& scoreboard = bench_.scoreboard();
    const auto compare = [&](const char* port, bool expected, uint64_t got) {
      scoreboard.channel(port).compare(uint64_t{expected}, got);
    };
    compare("load_ready_o", want.load_ready, top_.load_ready_o);
    compare("x_ready_o", want.x_ready, top_.x_ready_o);
    compare("job_valid_o", want.job_valid, top_.job_valid_o);
    compare("out_valid_o", want.out_valid, top_.out_valid_o);
    if (want.job_valid) {
      scoreboard.channel("job (held)").expect(1);
      scoreboard.channel("job (held)").compare(job_bits(want.job), job());
    }
    if (want.out_valid) {
      Beat beat;
      for (unsigned i = 0; i < kXValues; ++i) beat.set(16 * i, 16, want.out[i].bits);
      scoreboard.channel("beat (held)").expect(1);
      scoreboard.channel("beat (held)").compare(beat, read_port<16 * kXValues>(top_.out_o));
    }
    if (in.load_valid && want.load_ready) {
      load_cycles_.push_back(bench_.cycle());
      queue_.pop_front();
    }
    if (in.x_valid && want.x_ready) x_cycles_.push_back(bench_.cycle());
    model_.clock(in);
    ++cycles_;
  }
  JobBits job() const { return job_bits(top_.job_rows_o, top_.job_lanes_o, top_.job_align_w_o); }
  void receive_job() {
    if (expected_jobs_.empty()) {
      bench_.scoreboard().error("a job that nobody asked for");
      return;
    }
    bench_.scoreboard().channel("job").compare(job_bits(expected_jobs_.front()), job());
    expected_jobs_.pop_front();
  }
  void receive_beat() {
    if (expected_.empty()) {
      bench_.scoreboard().error("a beat that nobody asked for");
      return;
    }
    bench_.scoreboard().channel("beat").compare(expected_.front(),
                                                read_port<16 * kXValues>(top_.out_o));
    expected_.pop_front();
    out_cycles_.push_back(bench_.cycle());
  }

  Bench<typename D::Top> bench_;
  typename D::Top& top_;
  XStoreModel model_;
  Source<wire::Load::kBits>& loads_;
  Source<16 * kXValues>& x_;
  Sink& jobs_;
  Sink& out_;
  std::vector<Slot> slots_;
  std::deque<TileLoad> queue_;  // not accepted yet
  std::deque<TileLoad> expected_jobs_;
  std::deque<Beat> expected_;
  uint64_t load_count_ = 0;
  uint64_t beats_ = 0;
  uint64_t cycles_ = 0;
  std::vector<uint64_t> load_cycles_;
  std::vector<uint64_t> x_cycles_;
  std::vector<uint64_t> out_cycles_;
};

// Loads from the port, half of them kept, and loads of what was kept.
template <typename B>
void add_random_loads(B& bench, int count) {
  Random& random = bench.random();
  for (int i = 0; i < count; ++i) {
    const int slot = B::kXTiles == 0 ? B::kNoSlot : static_cast<int>(random.below(B::kXTiles));
    if (slot != B::kNoSlot && bench.kept_rows(slot) != 0 && random.chance(0.6)) {
      bench.add_store_load(slot, static_cast<int>(random.between(1, bench.kept_rows(slot))));
    } else {
      bench.add_port_load(static_cast<int>(random.between(1, B::kPositions)),
                          static_cast<int>(random.between(1, B::kGroup)),
                          random.chance(0.7) ? slot : B::kNoSlot);
    }
  }
}

template <typename D>
class XStoreTest : public testing::Test {};
using Duts =
    testing::Types<Dut<Vx_store_unit, Vx_store_unitParams>, Dut<Vx_store_edge, Vx_store_edgeParams>,
                   Dut<Vx_store_none, Vx_store_noneParams>>;
TYPED_TEST_SUITE(XStoreTest, Duts);

TYPED_TEST(XStoreTest, RandomLoads) {
  using B = XStoreBench<TypeParam>;
  const std::vector<Stall> stalls{Stall::never(), Stall::random(0.1), Stall::random(0.9),
                                  Stall::alternate(), Stall::bursts(7, 5)};
  for (const uint64_t seed : options().seeds(5)) {
    for (size_t i = 0; i < stalls.size(); ++i) {
      B bench(seed, stalls[(i + 2) % 5], stalls[i], stalls[(i + seed) % 5],
              stalls[(2 * i + seed) % 5]);
      add_random_loads(bench, 60);
      bench.run();
      ASSERT_TRUE(bench.finish());
    }
  }
}

// One beat per cycle from the first to the last: random loads, and loads of a single beat that are
// kept and loaded at once.
TYPED_TEST(XStoreTest, FullThroughput) {
  using B = XStoreBench<TypeParam>;
  for (const bool single : {false, true}) {
    B bench(2, Stall::never(), Stall::never(), Stall::never(), Stall::never());
    if (!single) add_random_loads(bench, 40);
    for (int i = 0; single && i < 20; ++i) {
      bench.add_port_load(1, 1, B::kXTiles == 0 ? B::kNoSlot : 0);
      if (B::kXTiles != 0) bench.add_store_load(0, 1);
    }
    bench.run();
    ASSERT_TRUE(bench.finish());
    EXPECT_EQ(bench.out_cycles().back() - bench.out_cycles().front() + 1, bench.beats());
  }
}

// Two cycles for a beat from the port, three for a command that finds its rows in the store.
TYPED_TEST(XStoreTest, Latency) {
  using B = XStoreBench<TypeParam>;
  B bench(3, Stall::never(), Stall::never(), Stall::never(), Stall::never());
  bench.add_port_load(1, B::kGroup, B::kXTiles == 0 ? B::kNoSlot : 0);
  bench.run();
  EXPECT_EQ(bench.out_cycles().front() - bench.x_cycles().front(), 2);
  if (B::kXTiles != 0) {
    const size_t port_beats = bench.beats();
    bench.add_store_load(0, 1);
    bench.run();
    EXPECT_EQ(bench.out_cycles()[port_beats] - bench.load_cycles().back(), 3);
  }
  EXPECT_TRUE(bench.finish());
}

}  // namespace
}  // namespace rivulet
