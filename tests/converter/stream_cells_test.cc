// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Stream registers, FIFOs, the fork and the counter, all in one model
// (rivulet_stream_cells_bench.sv).
//
// Each register and FIFO is compared with a std::deque: valid, ready and data in every cycle, the
// order of the words, and the number of cycles that N words take. The fork is compared with what
// each output still has to get of the present word.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>

#include "Vstream_cells.h"
#include "tb/bench.h"

namespace rivulet {
namespace {

constexpr unsigned kCells = 9;

struct Cell {
  const char* name;
  std::size_t capacity;
  bool passes_ready;  // a full cell is ready if its output is being taken
};
constexpr Cell kCellTable[kCells] = {
    {"reg", 1, true},    {"reg_cut", 2, false}, {"fifo1", 1, true},
    {"fifo2", 2, false}, {"fifo3", 3, false},   {"fifo4", 4, false},
    {"fifo5", 5, false}, {"fifo7", 7, false},   {"fifo13", 13, false}};

class StreamCellBench {
 public:
  StreamCellBench(unsigned cell, std::uint64_t seed, const Stall& in, const Stall& out)
      : cell_(kCellTable[cell]),
        bench_(cell_.name, seed, {.max_cycles = 100'000}),
        top_(bench_.top()),
        source_(bench_.source<16>("in", stall_in_or(in), top_.valid_i, top_.ready_o, top_.data_i)),
        sink_(bench_.sink("out", stall_out_or(out), top_.valid_o, top_.ready_i, [] {})) {
    top_.cell_i = cell;
    bench_.reset();
  }

  // Sends `words` random words through. Returns the number of cycles from the first offer to the
  // last delivery.
  std::uint64_t run(std::uint64_t words) {
    const std::uint64_t start = bench_.cycle();
    for (std::uint64_t word = 0; word < words; ++word) {
      source_.push(Bits<16>(bench_.random().next() & 0xffff));
    }
    const std::uint64_t end = sink_.transfers() + words;
    bench_.scoreboard().channel("words").expect(words);
    bench_.run([this, end] { return sink_.transfers() == end; }, [this] { compare_cycle(); });
    return bench_.cycle() - start;
  }
  void reset() {
    bench_.reset();
    queue_.clear();
  }
  bool finish() {
    for (const char* name : {"ready_o", "valid_o", "data_o"}) {
      bench_.scoreboard().channel(name).expect(cycles_);
    }
    return bench_.finish();
  }

 private:
  void compare_cycle() {
    ++cycles_;
    const bool valid = !queue_.empty();
    const bool ready = queue_.size() < cell_.capacity || (cell_.passes_ready && top_.ready_i != 0);
    bench_.scoreboard().channel("ready_o").compare(ready, top_.ready_o);
    bench_.scoreboard().channel("valid_o").compare(valid, top_.valid_o);
    bench_.scoreboard().channel("data_o").compare(valid ? queue_.front() : 0,
                                                  top_.valid_o ? top_.data_o : 0);
    if (valid && top_.ready_i) {
      bench_.scoreboard().channel("words").compare(queue_.front(), top_.data_o);
      queue_.pop_front();
    }
    if (top_.valid_i && ready) queue_.push_back(top_.data_i);
  }

  const Cell& cell_;
  Bench<Vstream_cells> bench_;
  Vstream_cells& top_;
  Source<16>& source_;
  Sink& sink_;
  std::deque<std::uint16_t> queue_;
  std::uint64_t cycles_ = 0;
};

TEST(StreamCells, FullThroughput) {
  for (unsigned cell = 0; cell < kCells; ++cell) {
    StreamCellBench bench(cell, options().seeds(1).front(), Stall::never(), Stall::never());
    const std::uint64_t cycles = bench.run(500);
    EXPECT_TRUE(bench.finish());
    if (options().stall_in || options().stall_out) continue;
    EXPECT_EQ(cycles, 501U) << kCellTable[cell].name << ": 500 words, latency 1";
  }
}

// Empty most of the time, full most of the time, and around both borders.
TEST(StreamCells, Stalls) {
  const Stall stalls[] = {Stall::never(), Stall::random(0.5), Stall::random(0.9),
                          Stall::alternate(), Stall::bursts(13, 20)};
  for (const std::uint64_t seed : options().seeds(5)) {
    for (const Stall& in : stalls) {
      for (const Stall& out : stalls) {
        for (unsigned cell = 0; cell < kCells; ++cell) {
          StreamCellBench bench(cell, seed, in, out);
          bench.run(200);
          bench.reset();
          bench.run(100);
          EXPECT_TRUE(bench.finish()) << "in " << in.name() << ", out " << out.name();
        }
      }
    }
  }
}

constexpr unsigned kOutputs = 3;

class StreamForkBench {
 public:
  StreamForkBench(std::uint64_t seed, const Stall& in, const std::array<Stall, kOutputs>& out)
      : bench_("fork", seed, {.max_cycles = 100'000}),
        top_(bench_.top()),
        source_(bench_.source<kOutputs>("in", stall_in_or(in), top_.fork_valid_i, top_.fork_ready_o,
                                        top_.fork_select_i)) {
    const CData* const valid[kOutputs] = {&top_.fork_valid0_o, &top_.fork_valid1_o,
                                          &top_.fork_valid2_o};
    CData* const ready[kOutputs] = {&top_.fork_ready0_i, &top_.fork_ready1_i, &top_.fork_ready2_i};
    for (unsigned i = 0; i < kOutputs; ++i) {
      valid_[i] = valid[i];
      ready_[i] = ready[i];
      sinks_[i] = &bench_.sink(fmt::format("out{}", i), stall_out_or(out[i]), *valid[i], *ready[i],
                               [this, i] { ++taken_[i]; });
    }
    bench_.reset();
  }

  // Sends `words` words, each for the outputs of `select` or, without it, for any of them.
  // Returns the number of cycles from the first offer to the last word accepted.
  std::uint64_t run(std::uint64_t words, std::optional<unsigned> select) {
    const std::uint64_t start = bench_.cycle();
    for (std::uint64_t word = 0; word < words; ++word) {
      const auto to =
          select ? *select : static_cast<unsigned>(bench_.random().below(1U << kOutputs));
      for (unsigned i = 0; i < kOutputs; ++i) expected_[i] += (to >> i) & 1U;
      source_.push(Bits<kOutputs>(to));
    }
    bench_.run([this] { return source_.empty(); }, [this] { compare_cycle(); });
    return bench_.cycle() - start;
  }
  // Words that are not accepted are forgotten, and with them what they still had to give.
  void reset() {
    bench_.reset();
    expected_ = taken_ = {};
    pending_.reset();
  }
  // Cycles in which some outputs took a word and others did not: they do not wait for each other.
  std::uint64_t independent_takes() const { return independent_takes_; }
  bool finish() {
    Scoreboard& scoreboard = bench_.scoreboard();
    for (const char* name : {"fork ready_o", "fork valid_o"}) {
      scoreboard.channel(name).expect(cycles_);
    }
    scoreboard.channel("fork transfers").expect(kOutputs);
    for (unsigned i = 0; i < kOutputs; ++i) {
      scoreboard.channel("fork transfers").compare(expected_[i], taken_[i]);
    }
    return bench_.finish();
  }

 private:
  void compare_cycle() {
    ++cycles_;
    if (top_.fork_valid_i && !pending_) pending_ = top_.fork_select_i;
    const unsigned pending = pending_.value_or(0);
    unsigned valid = 0;
    unsigned ready = 0;
    for (unsigned i = 0; i < kOutputs; ++i) {
      valid |= (*valid_[i] ? 1U : 0U) << i;
      ready |= (*ready_[i] ? 1U : 0U) << i;
    }
    const unsigned rest = pending & ~ready;
    bench_.scoreboard().channel("fork valid_o").compare(pending, valid);
    bench_.scoreboard()
        .channel("fork ready_o")
        .compare(rest == 0, top_.fork_valid_i ? top_.fork_ready_o != 0 : rest == 0);
    if (!pending_) return;
    if (rest != 0 && rest != pending) ++independent_takes_;
    pending_ = rest;
    if (rest == 0) pending_.reset();
  }

  Bench<Vstream_cells> bench_;
  Vstream_cells& top_;
  Source<kOutputs>& source_;
  std::array<const CData*, kOutputs> valid_{};
  std::array<CData*, kOutputs> ready_{};
  std::array<Sink*, kOutputs> sinks_{};
  std::array<std::uint64_t, kOutputs> expected_{};
  std::array<std::uint64_t, kOutputs> taken_{};
  std::optional<unsigned> pending_;  // outputs that still need the present word
  std::uint64_t independent_takes_ = 0;
  std::uint64_t cycles_ = 0;
};

TEST(StreamFork, FullThroughput) {
  StreamForkBench bench(options().seeds(1).front(), Stall::never(),
                        {Stall::never(), Stall::never(), Stall::never()});
  const std::uint64_t cycles = bench.run(500, 7U);
  EXPECT_TRUE(bench.finish());
  if (!options().stall_in && !options().stall_out) {
    EXPECT_EQ(cycles, 500U) << "500 words, latency 0";
  }
}

TEST(StreamFork, Stalls) {
  const Stall stalls[] = {Stall::never(), Stall::random(0.5), Stall::random(0.9),
                          Stall::alternate(), Stall::bursts(13, 20)};
  for (const std::uint64_t seed : options().seeds(5)) {
    for (const Stall& in : stalls) {
      for (const Stall& one : stalls) {
        for (const Stall& other : stalls) {
          StreamForkBench bench(seed, in, {one, other, Stall::random(0.3)});
          bench.run(200, std::nullopt);
          bench.reset();
          bench.run(100, 7U);
          if (!options().stall_in && !options().stall_out) {
            EXPECT_GT(bench.independent_takes(), 20U);
          }
          EXPECT_TRUE(bench.finish())
              << "in " << in.name() << ", out " << one.name() << ", " << other.name();
        }
      }
    }
  }
}

TEST(StreamCells, Counter) {
  for (const std::uint64_t seed : options().seeds(5)) {
    Bench<Vstream_cells> bench("counter", seed, {.max_idle_cycles = 1'000});
    Vstream_cells& top = bench.top();
    Channel& count = bench.scoreboard().channel("count_o");
    bench.reset();
    std::uint64_t want = 0;
    std::uint64_t stopped_cycles = 0;
    for (int i = 0; i < 200; ++i) {
      top.count_en_i = bench.random().below(2) != 0;
      top.count_add_i = bench.random().below(8);
      bench.cycle([&] { count.compare(want, top.count_o); });
      if (want >> 3 == 15) {
        ++stopped_cycles;  // the upper 4 of 7 bits are ones: no wrap, ever
      } else if (top.count_en_i) {
        want += top.count_add_i;
      }
    }
    count.expect(200);
    EXPECT_GT(stopped_cycles, 50U);
    EXPECT_TRUE(bench.finish());
  }
}

}  // namespace
}  // namespace rivulet
