// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/lockstep_tile.h"

#include <fmt/format.h>

#include "sw_model/numerics/fp32.h"
#include "sw_model/tile/device_error.h"

namespace rivulet {
namespace {

// The output beat as the bits of its ports: y, acc, last.
Bits<64 + 128 + 1> output_bits(const TileOutputs& out) {
  Bits<64 + 128 + 1> bits;
  bits.set(0, 64, out.y);
  for (unsigned i = 0; i < 4; ++i) bits.set(64 + 32 * i, 32, out.acc[i]);
  bits.set(192, 1, out.y_last ? 1 : 0);
  return bits;
}

std::string decode_output(const Bits<193>& bits) {
  std::string text = "columns";
  for (unsigned i = 0; i < 4; ++i) {
    text +=
        fmt::format(" {:.9g}", fp32_from_bits(static_cast<uint32_t>(bits.get(64 + 32 * i, 32))));
  }
  return text + (bits.get(192, 1) != 0 ? ", last" : "");
}

// Counters, as a value that the scoreboard can print.
struct Count {
  const TileCounters& counters;
  bool operator==(const Count& other) const { return counters == other.counters; }
};
std::string hex(const Count& count) {
  const TileCounters& c = count.counters;
  return fmt::format(
      "cycles {} beats {} {} {} {} macs {} {} {} {} wait {} {} stall {} {} x {} w {} scale {} y {} "
      "words {} special {} saturated {} link beats {} {} {}",
      c.cycles, c.array_beats[0], c.array_beats[1], c.array_beats[2], c.array_beats[3], c.macs[0],
      c.macs[1], c.macs[2], c.macs[3], c.wait_tile, c.wait_psum, c.stall_code, c.stall_scale,
      c.x_beats, c.w_beats, c.scale_beats, c.y_beats, c.words, c.special, c.saturated,
      c.converter.beats[1], c.converter.beats[2], c.converter.beats[3]);
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
    y_.compare(output_bits(want), output_bits(got), decode_output);
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
