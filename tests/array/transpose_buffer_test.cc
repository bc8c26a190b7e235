// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// rivulet_transpose_buffer: every port in every cycle against the cycle model, every beat against
// values that know their lane and column, throughput and latency in exact cycles.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "Vtranspose_edge.h"
#include "Vtranspose_edge_params.h"
#include "Vtranspose_kv260.h"
#include "Vtranspose_kv260_params.h"
#include "Vtranspose_square.h"
#include "Vtranspose_square_params.h"
#include "Vtranspose_unit.h"
#include "Vtranspose_unit_params.h"
#include "sw_model/array/transpose_buffer_model.h"
#include "sw_model/interfaces/wire/gather.h"
#include "tb/bench.h"
#include "tb/wire_bits.h"
#include "tb/wire_port.h"

namespace rivulet {
namespace {

constexpr std::array kStreams{Stream::kBf16, Stream::kQ2, Stream::kQ4, Stream::kQ8};

unsigned code_bits(Stream stream) { return stream == Stream::kBf16 ? 16 : 1U << unsigned(stream); }

struct Job {
  Stream stream = Stream::kQ8;
  unsigned lanes = 1;
  unsigned columns = 1;
  // The code of a lane and column is that many bits of its position, from bit `digit` codes up.
  unsigned digit = 0;

  uint64_t code(unsigned lane, unsigned column) const {
    const uint64_t position = uint64_t{lane} << 16 | column;
    const unsigned bits = code_bits(stream);
    return position >> (digit * bits) & ((uint64_t{1} << bits) - 1);
  }
  // Digits that tell all positions of `lanes` and `columns` apart.
  static unsigned digits(Stream stream) { return (24 + code_bits(stream) - 1) / code_bits(stream); }
};

// Packs values into beats of N bits; remembers which bits are defined.
template <unsigned N>
class Beats {
 public:
  struct Beat {
    Bits<N> bits;
    Bits<N> defined;
  };

  void add(unsigned width, uint64_t value, bool defined = true) {
    if (used_ == 0) beats_.emplace_back();
    beats_.back().bits.set(used_, width, defined ? value : 0);
    beats_.back().defined.set(used_, width, defined ? ~uint64_t{0} : 0);
    used_ = (used_ + width) % N;
  }
  // What follows starts on a new beat.
  void flush() { used_ = 0; }
  const std::vector<Beat>& beats() const { return beats_; }

 private:
  std::vector<Beat> beats_;
  unsigned used_ = 0;
};

template <unsigned N>
Bits<N> masked(const Bits<N>& bits, const Bits<N>& mask) {
  Bits<N> result;
  for (unsigned low = 0; low < N; low += 64) {
    result.set(low, 64, bits.get(low, 64) & mask.get(low, 64));
  }
  return result;
}

template <typename TopType, typename ParamsType>
struct Dut {
  using Top = TopType;
  using Params = ParamsType;
};

template <typename D>
class TransposeBench {
 public:
  static constexpr unsigned kLanes = D::Params::kLanes;
  static constexpr unsigned kGroup = D::Params::kGroup;
  static constexpr unsigned kBeat = 8 * kLanes;
  static constexpr unsigned kRows = kGroup / kLanes;

  TransposeBench(uint64_t seed, const Stall& job, const Stall& in, const Stall& out)
      : bench_("transpose_buffer", seed, {.max_cycles = 10'000'000}),
        top_(bench_.top()),
        model_(kLanes, kGroup),
        jobs_(bench_.template source<wire::Gather::kBits>("job", stall_in_or(job), top_.job_valid_i,
                                                          top_.job_ready_o, top_.job_i)),
        in_(bench_.template source<kBeat>("in", stall_in_or(in), top_.in_valid_i, top_.in_ready_o,
                                          top_.in_i)),
        out_(bench_.sink("out", stall_out_or(out), top_.out_valid_o, top_.out_ready_i,
                         [this] { receive(); })) {
    bench_.reset();
  }

  static unsigned block_columns(Stream stream) {
    return stream == Stream::kBf16 ? kGroup / 2 : kGroup;
  }
  // Beats of a block of all lanes and columns, either way.
  static unsigned block_beats(Stream stream) {
    return kGroup * block_columns(stream) * code_bits(stream) / kBeat;
  }

  void add_job(const Job& job) {
    jobs_.push(bits_of(wire::Gather{.stream = job.stream,
                                    .lanes = static_cast<uint8_t>(job.lanes),
                                    .columns = static_cast<uint16_t>(job.columns)}));
    const unsigned bits_per_code = code_bits(job.stream);
    const unsigned per_block = block_columns(job.stream);
    Beats<kBeat> in;
    Beats<kBeat> out;
    for (unsigned first = 0; first < job.columns; first += per_block) {
      for (unsigned lane = 0; lane < job.lanes; ++lane) {
        for (unsigned i = 0; i < per_block; ++i) {
          const bool used = first + i < job.columns;
          in.add(bits_per_code, used ? job.code(lane, first + i) : bench_.random().next());
        }
      }
      in.flush();
      for (unsigned i = 0; i < per_block && first + i < job.columns; ++i) {
        const bool bf16 = job.stream == Stream::kBf16;
        for (unsigned lane = 0; lane < (bf16 ? job.lanes : kGroup); ++lane) {
          out.add(bits_per_code, job.code(lane, first + i), lane < job.lanes);
        }
        if (bf16) out.flush();
      }
      out.flush();
    }
    for (const auto& beat : in.beats()) in_.push(beat.bits);
    for (const auto& beat : out.beats()) expected_.push_back({beat, false});
    expected_.back().last = true;
    beats_ += out.beats().size();
  }
  void run() {
    const auto check = [this] { compare_cycle(); };
    bench_.run([this] { return expected_.empty() && in_.empty(); }, check);
    for (int i = 0; i < 8 && bench_.running(); ++i) bench_.cycle(check);
  }
  bool finish() {
    Scoreboard& scoreboard = bench_.scoreboard();
    for (const char* port : {"job_ready_o", "in_ready_o", "out_valid_o"}) {
      scoreboard.channel(port).expect(cycles_);
    }
    scoreboard.channel("out_o").expect(beats_);
    scoreboard.channel("out_last_o").expect(beats_);
    return bench_.finish();
  }
  const std::vector<uint64_t>& in_cycles() const { return in_cycles_; }
  const std::vector<uint64_t>& out_cycles() const { return out_cycles_; }

 private:
  struct Expected {
    typename Beats<kBeat>::Beat beat;
    bool last = false;
  };

  void compare_cycle() {
    std::array<uint8_t, kLanes> in_bytes{};
    const auto in_bits = read_port<kBeat>(top_.in_i);
    for (unsigned i = 0; i < kLanes; ++i) {
      in_bytes[i] = static_cast<uint8_t>(in_bits.get(8 * i, 8));
    }
    const auto job = read_struct<wire::Gather>(top_.job_i);
    const TransposeBufferModel::Inputs in{.job_valid = top_.job_valid_i != 0,
                                          .job_stream = job.stream,
                                          .job_lanes = job.lanes,
                                          .job_columns = job.columns,
                                          .in_valid = top_.in_valid_i != 0,
                                          .in = in_bytes.data(),
                                          .out_ready = top_.out_ready_i != 0};
    const TransposeBufferModel::Outputs want = model_.outputs(in);
    Scoreboard& scoreboard = bench_.scoreboard();
    const auto flag = [](bool value) { return static_cast<uint64_t>(value); };
    scoreboard.channel("job_ready_o").compare(flag(want.job_ready), uint64_t{top_.job_ready_o});
    scoreboard.channel("in_ready_o").compare(flag(want.in_ready), uint64_t{top_.in_ready_o});
    scoreboard.channel("out_valid_o").compare(flag(want.out_valid), uint64_t{top_.out_valid_o});
    if (top_.out_valid_o != 0 && want.out_valid && !expected_.empty()) {
      Bits<kBeat> out;
      for (unsigned i = 0; i < kLanes; ++i) out.set(8 * i, 8, want.out[i]);
      const Bits<kBeat>& defined = expected_.front().beat.defined;
      for (const char* name : {"out_o (model)", "out_last_o (model)"}) {
        scoreboard.channel(name).expect(1);
      }
      scoreboard.channel("out_o (model)").compare(out, masked(output(), defined));
      scoreboard.channel("out_last_o (model)")
          .compare(flag(want.out_last), uint64_t{top_.out_last_o});
    }
    if (in.in_valid && top_.in_ready_o != 0) in_cycles_.push_back(bench_.cycle());
    model_.clock(in);
    ++cycles_;
  }
  Bits<kBeat> output() const { return read_port<kBeat>(top_.out_o); }
  void receive() {
    if (expected_.empty()) {
      bench_.scoreboard().error("a beat that nobody asked for");
      return;
    }
    const Expected& expected = expected_.front();
    bench_.scoreboard().channel("out_o").compare(expected.beat.bits,
                                                 masked(output(), expected.beat.defined));
    bench_.scoreboard()
        .channel("out_last_o")
        .compare(static_cast<uint64_t>(expected.last), uint64_t{top_.out_last_o});
    expected_.pop_front();
    out_cycles_.push_back(bench_.cycle());
  }

  Bench<typename D::Top> bench_;
  typename D::Top& top_;
  TransposeBufferModel model_;
  Source<wire::Gather::kBits>& jobs_;
  Source<kBeat>& in_;
  Sink& out_;
  std::deque<Expected> expected_;
  std::vector<uint64_t> in_cycles_;
  std::vector<uint64_t> out_cycles_;
  uint64_t beats_ = 0;
  uint64_t cycles_ = 0;
};

template <typename D>
class TransposeBufferTest : public testing::Test {};
using Duts = testing::Types<
    Dut<Vtranspose_square, Vtranspose_squareParams>, Dut<Vtranspose_unit, Vtranspose_unitParams>,
    Dut<Vtranspose_edge, Vtranspose_edgeParams>, Dut<Vtranspose_kv260, Vtranspose_kv260Params>>;
TYPED_TEST_SUITE(TransposeBufferTest, Duts);

// Random jobs under stalls, columns around the borders of blocks.
TYPED_TEST(TransposeBufferTest, RandomJobs) {
  using B = TransposeBench<TypeParam>;
  const std::vector<Stall> stalls{Stall::never(), Stall::random(0.1), Stall::random(0.9),
                                  Stall::alternate(), Stall::bursts(7, 5)};
  const std::array borders{1U, B::kGroup - 1, B::kGroup, B::kGroup + 1, 2 * B::kGroup + 3};
  for (const uint64_t seed : options().seeds(3)) {
    for (size_t i = 0; i < stalls.size(); ++i) {
      B bench(seed, stalls[(i + 2) % 5], stalls[i], stalls[(2 * i + seed) % 5]);
      Random random(seed * 10 + i);
      for (int count = 0; count < 10; ++count) {
        Job job;
        job.stream = kStreams[random.below(kStreams.size())];
        job.lanes = 1 + static_cast<unsigned>(random.below(B::kGroup));
        job.columns = random.chance(0.5) ? borders[random.below(borders.size())]
                                         : 1 + static_cast<unsigned>(random.below(B::kGroup));
        job.digit = static_cast<unsigned>(random.below(Job::digits(job.stream)));
        bench.add_job(job);
      }
      bench.run();
      ASSERT_TRUE(bench.finish());
    }
  }
}

// Every lane and column of a few blocks: the digits together tell all positions apart.
TYPED_TEST(TransposeBufferTest, EveryPosition) {
  using B = TransposeBench<TypeParam>;
  B bench(1, Stall::never(), Stall::never(), Stall::never());
  for (const Stream stream : kStreams) {
    for (unsigned digit = 0; digit < Job::digits(stream); ++digit) {
      bench.add_job({stream, B::kGroup, 2 * B::kGroup, digit});
    }
  }
  bench.run();
  EXPECT_TRUE(bench.finish());
}

// Every number of lanes, every stream; the number of columns goes through a block and beyond.
TYPED_TEST(TransposeBufferTest, EveryLaneCount) {
  using B = TransposeBench<TypeParam>;
  for (const Stream stream : kStreams) {
    B bench(2, Stall::never(), Stall::never(), Stall::never());
    for (unsigned lanes = 1; lanes <= B::kGroup; ++lanes) {
      const unsigned digits = Job::digits(stream);
      bench.add_job({stream, lanes, 1 + (5 * lanes) % (B::kGroup + 2), lanes % digits});
    }
    bench.run();
    ASSERT_TRUE(bench.finish()) << "stream " << int(stream);
  }
}

// One beat in and one beat out per cycle, over blocks and jobs, and the latency of a block.
TYPED_TEST(TransposeBufferTest, FullThroughput) {
  using B = TransposeBench<TypeParam>;
  for (const Stream stream : kStreams) {
    B bench(3, Stall::never(), Stall::never(), Stall::never());
    constexpr unsigned kJobs = 3;
    constexpr unsigned kBlocks = 4;
    for (unsigned job = 0; job < kJobs; ++job) {
      bench.add_job({stream, B::kGroup, kBlocks * B::block_columns(stream), job});
    }
    bench.run();
    ASSERT_TRUE(bench.finish());
    const size_t beats = size_t{kJobs} * kBlocks * B::block_beats(stream);
    ASSERT_EQ(bench.in_cycles().size(), beats);
    ASSERT_EQ(bench.out_cycles().size(), beats);
    EXPECT_EQ(bench.in_cycles().back() - bench.in_cycles().front() + 1, beats);
    EXPECT_EQ(bench.out_cycles().back() - bench.out_cycles().front() + 1, beats);
    const unsigned rows = code_bits(stream) < 8 ? B::kRows : 1;
    EXPECT_EQ(bench.out_cycles().front() - bench.in_cycles()[B::block_beats(stream) - 1],
              6 + rows - 1);
  }
}

// Few lanes bring little and fill whole units of codes: then the output never waits.
TYPED_TEST(TransposeBufferTest, FullOutputOfShortGathers) {
  using B = TransposeBench<TypeParam>;
  for (const Stream stream : {Stream::kQ2, Stream::kQ4, Stream::kQ8}) {
    B bench(4, Stall::never(), Stall::never(), Stall::never());
    bench.add_job({stream, B::kGroup / 2, 4 * B::kGroup, 0});
    bench.run();
    ASSERT_TRUE(bench.finish());
    const size_t beats = size_t{4} * B::block_beats(stream);
    ASSERT_EQ(bench.out_cycles().size(), beats);
    EXPECT_EQ(bench.out_cycles().back() - bench.out_cycles().front() + 1, beats);
  }
}

}  // namespace
}  // namespace rivulet
