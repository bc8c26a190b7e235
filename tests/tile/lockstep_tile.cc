// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/lockstep_tile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sw_model/common/device_error.h"
#include "sw_model/numerics/fp32.h"

namespace rivulet {
namespace {

// A result beat, as a value that the scoreboard can print.
struct Result {
  const TileOutputs& out;
  bool operator==(const Result& other) const {
    return out.y == other.out.y && out.acc == other.out.acc && out.y_last == other.out.y_last;
  }
};
std::string hex(const Result& result) {
  std::string text;
  for (size_t row = 0; row < kMaxYRows; ++row) {
    text += fmt::format("{:016X} {:08X} ", result.out.y[row], fmt::join(result.out.acc[row], " "));
  }
  return text + (result.out.y_last ? "last" : "");
}
std::string decode_result(const Result& result) {
  std::string text = "rows";
  for (const auto& row : result.out.acc) {
    text += " |";
    for (const uint32_t acc : row) text += fmt::format(" {:.9g}", fp32_from_bits(acc));
  }
  return text;
}

// Counters, as a value that the scoreboard can print.
struct Count {
  const TileCounters& counters;
  bool operator==(const Count& other) const { return counters == other.counters; }
};
std::string hex(const Count& count) {
  const TileCounters& c = count.counters;
  return fmt::format(
      "cycles {} beats {} carry {} macs {} wait: no job {} first load {} load {} codes {} scales "
      "{} "
      "psum {} results {}; loads {} x {} w {} scale {} y {} words {} special {} saturated {} codes "
      "{} "
      "link beats {}",
      c.cycles, fmt::join(c.array_beats, " "), c.carry_beats, fmt::join(c.macs, " "), c.wait_no_job,
      c.wait_first_load, c.wait_load, c.wait_codes, c.wait_scales, c.wait_psum, c.wait_results,
      c.loads, c.x_beats, c.w_beats, c.scale_beats, c.y_beats, c.words, c.special, c.saturated,
      fmt::join(c.converter.codes, " "), fmt::join(c.converter.beats, " "));
}

}  // namespace

LockstepTile::LockstepTile(ClockedTile& dut, ClockedTile& model, Scoreboard& scoreboard,
                           uint64_t& cycle)
    : dut_(dut),
      model_(model),
      scoreboard_(scoreboard),
      cycle_(cycle),
      y_valid_(scoreboard.channel("y_valid_o")),
      y_(scoreboard.channel("y_o, acc_o, y_last_o")),
      counters_(scoreboard.channel("counters_o")) {
  for (size_t i = 0; i < kTileStreams; ++i) {
    ready_[i] = &scoreboard.channel(fmt::format("{}_ready_o", kTileStreamNames[i]));
  }
}

void LockstepTile::reset() {
  dut_.reset();
  model_.reset();
}

const TileOutputs& LockstepTile::step(const TileInputs& inputs) {
  const TileOutputs& want = model_.step(inputs);
  const TileOutputs& got = dut_.step(inputs);
  for (size_t i = 0; i < kTileStreams; ++i) {
    ready_[i]->compare(uint64_t{want.ready[i]}, uint64_t{got.ready[i]});
  }
  y_valid_.compare(uint64_t{want.y_valid}, uint64_t{got.y_valid});
  if (want.y_valid) {
    y_.expect(1);
    y_.compare(Result{want}, Result{got}, decode_result);
  }
  const TileCounters want_counters = model_.counters();
  const TileCounters got_counters = dut_.counters();
  counters_.compare(Count{want_counters}, Count{got_counters});
  ++cycle_;
  if (!scoreboard_.ok()) throw Mismatch("the tile differs from its cycle model, see above");
  return got;
}

void LockstepTile::expect(uint64_t cycles) {
  for (Channel* channel : ready_) channel->expect(cycles);
  y_valid_.expect(cycles);
  counters_.expect(cycles);
}

}  // namespace rivulet
