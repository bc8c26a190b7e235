// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// rivulet_stream_narrow: every port in every cycle against the cycle model, every part that leaves
// against the parts that were sent, throughput.

#include <gtest/gtest.h>

#include <bit>
#include <deque>
#include <vector>

#include "Vstream_narrow_1.h"
#include "Vstream_narrow_1_params.h"
#include "Vstream_narrow_2.h"
#include "Vstream_narrow_2_params.h"
#include "Vstream_narrow_3.h"
#include "Vstream_narrow_3_params.h"
#include "Vstream_narrow_4.h"
#include "Vstream_narrow_4_params.h"
#include "sw_model/array/stream_narrow_model.h"
#include "tb/bench.h"

namespace rivulet {
namespace {

template <typename TopType, typename ParamsType>
struct Dut {
  using Top = TopType;
  using Params = ParamsType;
};

template <typename D>
class NarrowBench {
 public:
  static constexpr unsigned kWidth = D::Params::kWidth;
  static constexpr unsigned kRatio = D::Params::kRatio;
  static constexpr unsigned kBeat = kWidth * kRatio;

  NarrowBench(uint64_t seed, const Stall& in, const Stall& out)
      : bench_("stream_narrow", seed),
        top_(bench_.top()),
        model_(kRatio),
        // Data, last, parts. A beat that is not the last one is whole, whatever in_parts_i says.
        in_(bench_.template source_with<kBeat + 4>(
            "in", stall_in_or(in), top_.in_valid_i, top_.in_ready_o,
            [this](const Bits<kBeat + 4>& word) {
              Bits<kBeat> data;
              for (unsigned low = 0; low < kBeat; low += 64) data.set(low, 64, word.get(low, 64));
              write_port(top_.in_i, data);
              top_.in_last_i = static_cast<CData>(word.get(kBeat, 1));
              top_.in_parts_i = static_cast<CData>(word.get(kBeat + 1, std::bit_width(kRatio)));
            })),
        out_(bench_.sink("out", stall_out_or(out), top_.out_valid_o, top_.out_ready_i,
                         [this] { receive(); })) {
    bench_.reset();
  }

  // A request of that many parts.
  void add_request(unsigned parts) {
    Random& random = bench_.random();
    for (unsigned first = 0; first < parts; first += kRatio) {
      const bool last = first + kRatio >= parts;
      Bits<kBeat + 4> word;
      for (unsigned part = 0; part < kRatio; ++part) {
        Bits<kWidth + 1> expected(random.next());
        expected.set(kWidth, 1, last && first + part + 1 == parts ? 1 : 0);
        word.set(part * kWidth, kWidth, expected.get(0, kWidth));
        if (first + part < parts) expected_.push_back(expected);
      }
      word.set(kBeat, 1, last ? 1 : 0);
      word.set(kBeat + 1, 3, last ? parts - first : random.next());
      in_.push(word);
    }
    parts_ += parts;
  }
  void run() {
    const auto check = [this] { compare_cycle(); };
    bench_.run([this] { return expected_.empty(); }, check);
    for (int i = 0; i < 3 && bench_.running(); ++i) bench_.cycle(check);
  }
  bool finish() {
    Scoreboard& scoreboard = bench_.scoreboard();
    for (const char* port : {"in_ready_o", "out_valid_o"}) scoreboard.channel(port).expect(cycles_);
    scoreboard.channel("out").expect(parts_);
    return bench_.finish();
  }
  uint64_t parts() const { return parts_; }
  const std::vector<uint64_t>& part_cycles() const { return part_cycles_; }

 private:
  void compare_cycle() {
    const StreamNarrowModel::Inputs in{.in_valid = top_.in_valid_i != 0,
                                       .in_last = top_.in_last_i != 0,
                                       .in_parts = top_.in_parts_i,
                                       .out_ready = top_.out_ready_i != 0};
    const StreamNarrowModel::Outputs want = model_.outputs(in);
    Scoreboard& scoreboard = bench_.scoreboard();
    const auto flag = [](bool value) { return static_cast<uint64_t>(value); };
    scoreboard.channel("out_valid_o").compare(flag(want.out_valid), uint64_t{top_.out_valid_o});
    scoreboard.channel("in_ready_o").compare(flag(want.in_ready), uint64_t{top_.in_ready_o});
    if (in.in_valid) {
      const auto beat = read_port<kBeat>(top_.in_i);
      Bits<kWidth + 1> expected(beat.get(static_cast<unsigned>(want.out_part) * kWidth, kWidth));
      expected.set(kWidth, 1, flag(want.out_last));
      scoreboard.channel("out (held)").expect(1);
      scoreboard.channel("out (held)").compare(expected, output());
    }
    model_.clock(in);
    ++cycles_;
  }
  Bits<kWidth + 1> output() const {
    Bits<kWidth + 1> part(read_port<kWidth>(top_.out_o).get(0, kWidth));
    part.set(kWidth, 1, top_.out_last_o);
    return part;
  }
  void receive() {
    if (expected_.empty()) {
      bench_.scoreboard().error("a part that nobody sent");
      return;
    }
    bench_.scoreboard().channel("out").compare(expected_.front(), output());
    expected_.pop_front();
    part_cycles_.push_back(bench_.cycle());
  }

  Bench<typename D::Top> bench_;
  typename D::Top& top_;
  StreamNarrowModel model_;
  Source<kBeat + 4>& in_;
  Sink& out_;
  std::deque<Bits<kWidth + 1>> expected_;
  std::vector<uint64_t> part_cycles_;
  uint64_t parts_ = 0;
  uint64_t cycles_ = 0;
};

template <typename D>
class StreamNarrowTest : public testing::Test {};
using Duts = testing::Types<
    Dut<Vstream_narrow_1, Vstream_narrow_1Params>, Dut<Vstream_narrow_2, Vstream_narrow_2Params>,
    Dut<Vstream_narrow_3, Vstream_narrow_3Params>, Dut<Vstream_narrow_4, Vstream_narrow_4Params>>;
TYPED_TEST_SUITE(StreamNarrowTest, Duts);

TYPED_TEST(StreamNarrowTest, RandomRequests) {
  using B = NarrowBench<TypeParam>;
  const std::vector<Stall> stalls{Stall::never(), Stall::random(0.1), Stall::random(0.9),
                                  Stall::alternate(), Stall::bursts(7, 5)};
  for (const uint64_t seed : options().seeds(5)) {
    for (size_t i = 0; i < stalls.size(); ++i) {
      B bench(seed, stalls[i], stalls[(2 * i + seed) % 5]);
      Random random(seed * 10 + i);
      for (int request = 0; request < 50; ++request) {
        bench.add_request(1 + static_cast<unsigned>(random.below(5 * B::kRatio)));
      }
      bench.run();
      ASSERT_TRUE(bench.finish());
    }
  }
}

// One part per cycle, over beats and requests of every length.
TYPED_TEST(StreamNarrowTest, FullThroughput) {
  using B = NarrowBench<TypeParam>;
  B bench(1, Stall::never(), Stall::never());
  for (unsigned parts = 1; parts <= 4 * B::kRatio; ++parts) bench.add_request(parts);
  bench.run();
  ASSERT_TRUE(bench.finish());
  EXPECT_EQ(bench.part_cycles().back() - bench.part_cycles().front() + 1, bench.parts());
}

}  // namespace
}  // namespace rivulet
