// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Stream registers, FIFOs and the counter, all in one model (rivulet_stream_cells_bench.sv).
//
// Each cell is compared with a std::deque: valid, ready and data in every cycle, the order of the
// words, and the number of cycles that N words take.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>

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
