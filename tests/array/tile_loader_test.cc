// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// rivulet_tile_loader: handshakes and hand-over in every cycle against the cycle model; every table
// entry that is written, every table that is looked up, exponents and bias terms against the
// numerics library; no write to a bank that is still looked up; tiles a build time apart.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <vector>

#include "Vtile_loader_edge.h"
#include "Vtile_loader_edge_params.h"
#include "Vtile_loader_kv260.h"
#include "Vtile_loader_kv260_params.h"
#include "Vtile_loader_odd.h"
#include "Vtile_loader_odd_params.h"
#include "Vtile_loader_parts.h"
#include "Vtile_loader_parts_params.h"
#include "Vtile_loader_unit.h"
#include "Vtile_loader_unit_params.h"
#include "sw_model/array/tile_loader_model.h"
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

// What the loader is to make of a job.
struct Tile {
  size_t rows = 0;
  size_t lanes = 0;
  int align_w = 0;
  std::vector<std::vector<int16_t>> a;  // [rows][group]
  std::vector<uint8_t> exponent;        // [rows]
};

// Digit 0 to 3 in two's complement.
int digit(unsigned bits) { return static_cast<int>(bits & 1) - static_cast<int>(bits & 2); }

template <typename D>
class LoaderBench {
 public:
  static constexpr unsigned kLanes = D::Params::kLanes;
  static constexpr unsigned kPositions = D::Params::kPositions;
  static constexpr unsigned kGroup = D::Params::kGroup;
  static constexpr unsigned kAlignW = D::Params::kAlignW;
  static constexpr unsigned kXValues = D::Params::kXValues;
  static constexpr unsigned kPairs = D::Params::kPairs;
  static constexpr unsigned kLookupDelay = D::Params::kLookupDelay;
  static constexpr unsigned kBeats = kGroup / kXValues;
  static constexpr unsigned kBuildTime = 16 * kGroup / (2 * kPairs);

  LoaderBench(uint64_t seed, const Stall& job, const Stall& x, const Stall& take)
      : bench_("tile_loader", seed),
        top_(bench_.top()),
        model_({.positions = kPositions,
                .group = kGroup,
                .x_values = kXValues,
                .build_pairs = kPairs,
                .lookup_delay = kLookupDelay}),
        take_stall_(stall_out_or(take)),
        jobs_(bench_.template source_with<21>("job", stall_in_or(job), top_.job_valid_i,
                                              top_.job_ready_o,
                                              [this](const Bits<21>& word) {
                                                top_.job_rows_i = word.get(0, 8);
                                                top_.job_lanes_i = word.get(8, 8);
                                                top_.job_align_w_i = word.get(16, 5);
                                              })),
        x_(bench_.template source<16 * kXValues>("x", stall_in_or(x), top_.x_valid_i,
                                                 top_.x_ready_o, top_.x_i)) {
    top_.tile_take_i = 0;
    bench_.reset();
  }

  void add_tile(size_t rows, size_t lanes, int align_w, ValueClasses& values) {
    Random& random = bench_.random();
    Bits<21> job;
    job.set(0, 8, rows);
    job.set(8, 8, lanes);
    job.set(16, 5, static_cast<uint64_t>(align_w));
    jobs_.push(job);
    Tile tile{.rows = rows, .lanes = lanes, .align_w = align_w, .a = {}, .exponent = {}};
    for (size_t row = 0; row < rows; ++row) {
      std::vector<Bf16> x(lanes);
      // Some rows hold the largest integer in every lane: sums at the bounds of their widths.
      const bool largest = random.chance(0.2);
      const Bf16 one_sign{static_cast<uint16_t>(random.chance(0.5) ? 0x3FFF : 0xBFFF)};
      for (Bf16& value : x) {
        value = largest ? one_sign : Bf16{static_cast<uint16_t>(values.draw(random))};
      }
      std::vector<int16_t> a(lanes);
      tile.exponent.push_back(align_group(x, align_w, a));
      a.resize(kGroup);
      tile.a.push_back(a);
      for (size_t first = 0; first < lanes; first += kXValues) {
        Bits<16 * kXValues> beat;
        for (size_t i = 0; i < kXValues; ++i) {
          const uint64_t noise = random.next();  // beyond the last lane
          beat.set(static_cast<unsigned>(16 * i), 16,
                   first + i < lanes ? x[first + i].bits : noise);
        }
        x_.push(beat);
      }
    }
    tiles_.push_back(std::move(tile));
  }

  // Until every tile was taken and looked up; takes are held back until `first_take`.
  void run(uint64_t first_take = 0) {
    while (bench_.running() && takes_.size() < tiles_.size()) cycle(first_take);
    for (unsigned i = 0; i < kBuildTime + 10 && bench_.running(); ++i) cycle(first_take);
  }
  bool finish() {
    Scoreboard& scoreboard = bench_.scoreboard();
    for (const char* port : {"job_ready_o", "x_ready_o", "tile_ready_o"}) {
      scoreboard.channel(port).expect(cycles_);
    }
    const uint64_t entries = std::accumulate(
        tiles_.begin(), tiles_.end(), uint64_t{0},
        [](uint64_t sum, const Tile& tile) { return sum + tile.rows * kGroup / 2 * 16; });
    scoreboard.channel("entry written").expect(entries);
    scoreboard.channel("entry looked up").expect(entries);
    return bench_.finish();
  }

  // Cycles in which the tiles were taken, became ready, and x beats were accepted.
  const std::vector<uint64_t>& takes() const { return takes_; }
  const std::vector<uint64_t>& readies() const { return readies_; }
  const std::vector<uint64_t>& x_cycles() const { return x_cycles_; }

 private:
  static constexpr unsigned kSelects = kLanes / (2 * kPairs);
  static constexpr unsigned kValueW = kAlignW + 2;
  static constexpr unsigned kBiasW = kAlignW + std::bit_width(kGroup) - 1 + 14;
  static constexpr size_t kNone = ~size_t{0};

  // Entries of the tables of a bank, as written last: [position][pair][entry].
  using Tables = std::vector<int32_t>;
  // Cycles in which the exponents and bias terms of a tile are in use.
  struct Use {
    size_t tile = 0;
    uint64_t from = 0;
    uint64_t to = 0;
  };

  static size_t table_index(size_t position, size_t pair, size_t entry) {
    return (position * kGroup / 2 + pair) * 16 + entry;
  }
  int32_t entry_of(const Tile& tile, size_t position, size_t pair, unsigned entry) const {
    const std::vector<int16_t>& a = tile.a[position];
    return digit(entry & 3) * a[2 * pair] + digit(entry >> 2) * a[2 * pair + 1];
  }

  void cycle(uint64_t first_take) {
    const bool stalled =
        take_stall_.next(bench_.random(), takes_.size()) || bench_.cycle() < first_take;
    top_.tile_take_i = model_.outputs({}).tile_ready && !stalled;
    bench_.cycle([this] { compare_cycle(); });
  }

  void compare_cycle() {
    std::array<Bf16, kXValues> x;
    const auto x_bits = read_port<16 * kXValues>(top_.x_i);
    for (unsigned i = 0; i < kXValues; ++i) {
      x[i].bits = static_cast<uint16_t>(x_bits.get(16 * i, 16));
    }
    const TileLoaderModel::Inputs in{.job_valid = top_.job_valid_i != 0,
                                     .job_rows = top_.job_rows_i,
                                     .job_lanes = top_.job_lanes_i,
                                     .job_align_w = top_.job_align_w_i,
                                     .x_valid = top_.x_valid_i != 0,
                                     .x = x.data(),
                                     .tile_take = top_.tile_take_i != 0};
    const TileLoaderModel::Outputs want = model_.outputs(in);
    compare("job_ready_o", want.job_ready, top_.job_ready_o);
    compare("x_ready_o", want.x_ready, top_.x_ready_o);
    compare("tile_ready_o", want.tile_ready, top_.tile_ready_o);
    if (want.tile_ready) compare_tile();
    if (in.x_valid && want.x_ready) x_cycles_.push_back(bench_.cycle());
    if (want.tile_ready && readies_.size() == takes_.size()) readies_.push_back(bench_.cycle());

    look_up();
    check_write();
    check_bias();
    if (in.tile_take) take();
    model_.clock(in);
    ++cycles_;
  }

  void compare_tile() {
    const StationaryTile& tile = model_.next_tile();
    expect_compare("tile_bank_o", model_.bank(), top_.tile_bank_o);
    expect_compare("tile_rows_o", tile.rows, top_.tile_rows_o);
    expect_compare("tile_lanes_o", tile.lanes, top_.tile_lanes_o);
    expect_compare("tile_align_w_o", static_cast<uint64_t>(tile.align_w), top_.tile_align_w_o);
  }

  // The tile that is taken, as the test and as the model know it.
  void take() {
    const size_t number = takes_.size();
    const Tile& tile = tiles_[number];
    const StationaryTile& model = model_.next_tile();
    expect_compare("rows of the tile", tile.rows, model.rows);
    expect_compare("lanes of the tile", tile.lanes, model.lanes);
    expect_compare("width of the tile", static_cast<uint64_t>(tile.align_w),
                   static_cast<uint64_t>(model.align_w));
    for (size_t row = 0; row < tile.rows; ++row) {
      expect_compare("exponent of the model", tile.exponent[row], model.exponents[row]);
      const bool same = std::equal(tile.a[row].begin(), tile.a[row].end(), model.row(row));
      expect_compare("integers of the model", 1, same ? 1 : 0);
    }
    const uint64_t now = bench_.cycle();
    takes_.push_back(now);
    if (!uses_.empty()) uses_.back().to = now + kBuildTime + kLookupDelay + 1;
    uses_.push_back({.tile = number, .from = now + kLookupDelay + 2, .to = ~uint64_t{0}});
  }

  // In the first cycle in which a tile can be looked up, all of its tables are complete.
  void look_up() {
    if (looked_up_ + 1 - takes_.size() == 0) return;  // nothing was taken since
    if (bench_.cycle() != takes_.back() + 1 + kLookupDelay) return;
    looked_up_ = takes_.size() - 1;
    const Tile& tile = tiles_[looked_up_];
    const Tables& tables = tables_[looked_up_ % 2];
    Channel& channel = bench_.scoreboard().channel("entry looked up");
    for (size_t position = 0; position < tile.rows; ++position) {
      for (size_t pair = 0; pair < kGroup / 2; ++pair) {
        for (unsigned entry = 0; entry < 16; ++entry) {
          channel.compare(static_cast<uint32_t>(entry_of(tile, position, pair, entry)),
                          static_cast<uint32_t>(tables[table_index(position, pair, entry)]));
        }
      }
    }
  }

  // Every entry written: into the bank of the tile that is built, which nobody looks up.
  void check_write() {
    const uint64_t selects = top_.we_o;
    if (selects == 0) return;
    if (std::popcount(selects) != 1) bench_.scoreboard().error("more than one group of tables");
    const size_t number = writes_ / kBuildTime;
    ++writes_;
    if (number >= tiles_.size()) {
      bench_.scoreboard().error("a tile that nobody asked for");
      return;
    }
    expect_compare("we_bank_o", number % 2, top_.we_bank_o);
    // The bank of tile `number` is looked up for tile number - 2 until tile number - 1 was taken,
    // and the last beat that entered before has looked it up.
    const bool given_up = number < 2 || (takes_.size() >= number &&
                                         bench_.cycle() > takes_[number - 1] + kLookupDelay);
    if (!given_up) bench_.scoreboard().error("a write to tables that are looked up");

    const Tile& tile = tiles_[number];
    const unsigned entry = top_.we_entry_o;
    const size_t step = top_.we_sub_o * kSelects + static_cast<size_t>(std::countr_zero(selects));
    const auto values = read_port<kPositions * kPairs * kValueW>(top_.we_value_o);
    Channel& channel = bench_.scoreboard().channel("entry written");
    for (unsigned position = 0; position < tile.rows; ++position) {
      for (unsigned p = 0; p < kPairs; ++p) {
        const size_t pair = step * kPairs + p;
        const uint64_t bits = values.get((position * kPairs + p) * kValueW, kValueW);
        const int32_t value = static_cast<int32_t>(bits << (32 - kValueW)) >> (32 - kValueW);
        channel.compare(static_cast<uint32_t>(entry_of(tile, position, pair, entry)),
                        static_cast<uint32_t>(value));
        tables_[number % 2][table_index(position, pair, entry)] = value;
      }
    }
  }

  // Exponents and bias terms, in all cycles in which the array may use them.
  void check_bias() {
    while (!uses_.empty() && uses_.front().to < bench_.cycle()) uses_.pop_front();
    const auto q4 = read_port<2 * kPositions * kBiasW>(top_.bias_q4_o);
    const auto q8 = read_port<2 * kPositions * kBiasW>(top_.bias_q8_o);
    const auto bf16 = read_port<2 * kPositions * kBiasW>(top_.bias_bf16_o);
    const auto exponent = read_port<2 * kPositions * 8>(top_.exponent_o);
    for (const Use& use : uses_) {
      if (bench_.cycle() < use.from) continue;
      const Tile& tile = tiles_[use.tile];
      for (unsigned row = 0; row < tile.rows; ++row) {
        const unsigned place = static_cast<unsigned>(use.tile % 2) * kPositions + row;
        const int64_t sum = std::accumulate(tile.a[row].begin(), tile.a[row].end(), int64_t{0});
        const auto bias = [](int64_t value) {
          return static_cast<uint64_t>(value) & ((uint64_t{1} << kBiasW) - 1);
        };
        expect_compare("exponent_o", tile.exponent[row], exponent.get(8 * place, 8));
        expect_compare("bias_q4_o", bias(2 * sum), q4.get(kBiasW * place, kBiasW));
        expect_compare("bias_q8_o", bias(42 * sum), q8.get(kBiasW * place, kBiasW));
        expect_compare("bias_bf16_o", bias(10922 * sum), bf16.get(kBiasW * place, kBiasW));
      }
    }
  }

  void compare(const char* channel, uint64_t expected, uint64_t got) {
    bench_.scoreboard().channel(channel).compare(expected, got);
  }
  void expect_compare(const char* channel, uint64_t expected, uint64_t got) {
    bench_.scoreboard().channel(channel).expect(1);
    compare(channel, expected, got);
  }

  Bench<typename D::Top> bench_;
  typename D::Top& top_;
  TileLoaderModel model_;
  Stall take_stall_;
  Source<21>& jobs_;
  Source<16 * kXValues>& x_;
  std::vector<Tile> tiles_;
  std::array<Tables, 2> tables_{Tables(kPositions * kGroup / 2 * 16),
                                Tables(kPositions* kGroup / 2 * 16)};
  std::deque<Use> uses_;
  size_t looked_up_ = kNone;  // tile
  uint64_t writes_ = 0;       // cycles
  uint64_t cycles_ = 0;
  std::vector<uint64_t> takes_;
  std::vector<uint64_t> readies_;
  std::vector<uint64_t> x_cycles_;
};

template <typename D>
class TileLoaderTest : public testing::Test {};
using Duts = testing::Types<Dut<Vtile_loader_unit, Vtile_loader_unitParams>,
                            Dut<Vtile_loader_odd, Vtile_loader_oddParams>,
                            Dut<Vtile_loader_parts, Vtile_loader_partsParams>,
                            Dut<Vtile_loader_edge, Vtile_loader_edgeParams>,
                            Dut<Vtile_loader_kv260, Vtile_loader_kv260Params>>;
TYPED_TEST_SUITE(TileLoaderTest, Duts);

// Random tiles under stalls; all value classes, or finite ones only.
TYPED_TEST(TileLoaderTest, RandomTiles) {
  using B = LoaderBench<TypeParam>;
  const std::vector<Stall> stalls{Stall::never(), Stall::random(0.1), Stall::random(0.9),
                                  Stall::alternate(), Stall::bursts(7, 90)};
  for (const char* domain : {"bf16", "bf16_finite"}) {
    ValueClasses values(domain);
    for (const uint64_t seed : options().seeds(3)) {
      for (size_t i = 0; i < stalls.size(); ++i) {
        B bench(seed, stalls[(i + 2) % 5], stalls[i], stalls[(2 * i + seed) % 5]);
        Random random(seed * 10 + i);
        for (int tile = 0; tile < 10; ++tile) {
          bench.add_tile(1 + random.below(B::kPositions), 1 + random.below(B::kGroup),
                         static_cast<int>(random.between(kMinAlignWidth, B::kAlignW)), values);
        }
        bench.run();
        ASSERT_TRUE(bench.finish());
      }
    }
    EXPECT_EQ(values.never_drawn(), "");
  }
}

// Tiles leave a build time apart, or as fast as their rows arrive: full ones, smaller ones, and
// such that wait for the stream.
TYPED_TEST(TileLoaderTest, BackToBack) {
  using B = LoaderBench<TypeParam>;
  ValueClasses values("bf16_finite");
  for (const uint64_t first_take : {0, 600}) {
    for (const bool full : {true, false}) {
      B bench(1, Stall::never(), Stall::never(), Stall::never());
      for (size_t tile = 0; tile < 10; ++tile) {
        const size_t rows = full ? B::kPositions : 1 + tile % B::kPositions;
        const size_t lanes = full ? B::kGroup : 1 + (tile * 37) % B::kGroup;
        bench.add_tile(rows, lanes, B::kAlignW, values);
      }
      bench.run(first_take);
      ASSERT_TRUE(bench.finish());
      const uint64_t arrival = full ? uint64_t{B::kPositions} * B::kBeats : 0;
      const uint64_t apart = std::max<uint64_t>(arrival, B::kBuildTime);
      for (size_t tile = 1; tile < 10; ++tile) {
        EXPECT_EQ(bench.takes()[tile] - bench.takes()[tile - 1], apart) << "tile " << tile;
      }
    }
  }
}

// A tile that meets an idle loader is ready a fixed time after its last beat.
TYPED_TEST(TileLoaderTest, Latency) {
  using B = LoaderBench<TypeParam>;
  ValueClasses values("bf16_finite");
  for (const size_t lanes : {size_t{1}, size_t{B::kGroup}}) {
    B bench(4, Stall::never(), Stall::never(), Stall::never());
    bench.add_tile(B::kPositions, lanes, B::kAlignW, values);
    bench.run();
    ASSERT_TRUE(bench.finish());
    const size_t beats = (lanes + B::kXValues - 1) / B::kXValues;
    const size_t parts = std::min<size_t>(2 * B::kPairs / B::kXValues, beats);
    EXPECT_EQ(bench.readies().front() - bench.x_cycles().back(),
              AlignerModel::latency(B::kXValues) + parts - 1 + B::kBuildTime - B::kLookupDelay);
  }
}

// Rows that arrive as fast as they are built never hold a build up, and are not held up.
TEST(TileLoaderEdgeTest, FullRate) {
  using B = LoaderBench<Dut<Vtile_loader_edge, Vtile_loader_edgeParams>>;
  static_assert(B::kPositions * B::kBeats == B::kBuildTime);
  ValueClasses values("bf16_finite");
  B bench(1, Stall::never(), Stall::never(), Stall::never());
  for (size_t tile = 0; tile < 10; ++tile) {
    bench.add_tile(B::kPositions, B::kGroup, B::kAlignW, values);
  }
  bench.run();
  ASSERT_TRUE(bench.finish());
  EXPECT_EQ(bench.x_cycles().back() - bench.x_cycles().front() + 1, 10 * B::kBuildTime);
}

}  // namespace
}  // namespace rivulet
