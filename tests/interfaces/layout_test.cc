// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The generated structs against a verilated model that takes the same structs apart: field by
// field, for random bits.

#include <gtest/gtest.h>
#include <verilated.h>

#include "Vinterfaces_bench.h"
#include "sw_model/interfaces/wire/array_events.h"
#include "sw_model/interfaces/wire/fill_seg.h"
#include "sw_model/interfaces/wire/read_req.h"
#include "sw_model/interfaces/wire/tile_counters.h"
#include "tb/options.h"
#include "tb/random.h"
#include "tb/wire_port.h"

namespace rivulet {
namespace {

constexpr int kRounds = 2'000;

class LayoutTest : public ::testing::Test {
 protected:
  template <typename Struct>
  Struct random_struct() {
    typename Struct::Words words{};
    for (uint64_t& word : words) word = random_.next();
    return Struct::unpack(words);
  }
  // A number of a field and what the RTL sees in it.
  template <typename Number, typename Port>
  void same(const char* field, Number want, const Port& got) {
    ++compared_;
    ASSERT_EQ(static_cast<uint64_t>(want), static_cast<uint64_t>(got)) << field;
  }

  VerilatedContext context_;
  Vinterfaces_bench top_{&context_, "bench"};
  Random random_{options().seeds(1).front()};
  int compared_ = 0;
};

TEST_F(LayoutTest, ReadRequest) {
  for (int i = 0; i < kRounds; ++i) {
    const auto req = random_struct<wire::ReadReq>();
    write_struct(top_.req_i, req);
    top_.eval();
    same("tier", req.tier, top_.tier_o);
    same("kind", req.kind, top_.kind_o);
    same("round_half_up", req.view.round_half_up, top_.round_half_up_o);
    same("clamp", req.view.clamp, top_.clamp_o);
    same("shift", req.view.shift, top_.shift_o);
    same("theta_p", req.view.theta_p, static_cast<int16_t>(top_.theta_p_o));
    same("theta_n", req.view.theta_n, static_cast<int16_t>(top_.theta_n_o));
    same("codes", req.codes, top_.codes_o);
  }
  EXPECT_EQ(compared_, 8 * kRounds);
}

TEST_F(LayoutTest, FillSegment) {
  for (int i = 0; i < kRounds; ++i) {
    const auto seg = random_struct<wire::FillSeg>();
    write_struct(top_.seg_i, seg);
    top_.eval();
    same("stream", seg.segment.stream, top_.stream_o);
    same("empty", seg.segment.empty, top_.empty_o);
    same("lanes", seg.segment.lanes, top_.lanes_o);
    same("columns", seg.segment.columns, top_.columns_o);
    same("source", seg.source, top_.source_o);
    same("align_w", seg.align_w, top_.align_w_o);
  }
  EXPECT_EQ(compared_, 6 * kRounds);
}

TEST_F(LayoutTest, ArrayEvents) {
  for (int i = 0; i < kRounds; ++i) {
    const auto events = random_struct<wire::ArrayEvents>();
    write_struct(top_.events_i, events);
    top_.eval();
    same("macs", events.macs, top_.macs_o);
    same("waits.psum", events.waits.psum, top_.psum_o);
    same("saturated", events.saturated, top_.saturated_o);
  }
  EXPECT_EQ(compared_, 3 * kRounds);
}

TEST_F(LayoutTest, TileCounters) {
  for (int i = 0; i < kRounds; ++i) {
    const auto counters = random_struct<wire::TileCounters>();
    write_struct(top_.counters_i, counters);
    for (uint8_t index = 0; index < 4; ++index) {
      top_.index_i = index;
      top_.eval();
      same("cycles", counters.cycles, top_.cycles_o);
      same("array_beats", counters.array_beats[index], top_.array_beats_o);
      same("words", counters.words, top_.words_o);
      same("converter.codes", counters.converter.codes[index], top_.converter_codes_o);
      same("converter.beats", counters.converter.beats[index], top_.converter_beats_o);
    }
  }
  EXPECT_EQ(compared_, 4 * 5 * kRounds);
}

}  // namespace
}  // namespace rivulet
