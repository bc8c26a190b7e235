// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Runs random commands on the RTL and its cycle model in lockstep and compares the result beats.
//
// Every port can be held back by a stall of its own; what stands at an input that is not offered is
// noise. The counters must name every cycle once.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sw_model/tile/tile_model.h"
#include "tb/scoreboard.h"
#include "tb/stall.h"
#include "tb/wave_file.h"
#include "tests/tile/lockstep_tile.h"
#include "tests/tile/random_commands.h"
#include "tests/tile/tile_variants.h"

namespace rivulet {

class CommandBench {
 public:
  // `stalls`: one per input stream, then that of the results.
  CommandBench(const TileVariant& variant, const char* pattern, std::vector<Stall> stalls,
               uint64_t seed);

  Random& random() { return random_; }
  // Runs all commands to the last result beat; at most `max_cycles` cycles, after which the tile is
  // reset. False after a mismatch or a time-out.
  bool run(const RandomCommands& commands, uint64_t max_cycles = UINT64_MAX);
  // Idle cycles, the counts of the scoreboard, the report. True if all was as expected.
  bool finish();

 private:
  static constexpr size_t kPorts = kTileStreams + 1;

  bool done(const std::array<size_t, kPorts>& counts) const;
  void offer(const RandomCommands& commands, const std::array<size_t, kPorts>& counts);
  void present(const RandomCommands& commands, size_t stream);
  void make_noise(size_t stream);
  bool take(const TileOutputs& outputs, const RandomCommands& commands);

  const TileVariant& variant_;
  WaveFile waves_;
  uint64_t cycle_ = 0;
  Scoreboard scoreboard_;
  std::unique_ptr<ClockedTile> dut_;
  TileModel model_;
  LockstepTile lockstep_;
  std::vector<Stall> stalls_;
  Random random_;
  std::vector<uint64_t> noise_;
  TileLoad noise_load_;
  TileRead noise_read_;
  TilePass noise_pass_;
  TileInputs inputs_;
  std::array<size_t, kPorts> index_{};      // of the element that is offered next
  std::array<uint64_t, kPorts> transfers_{};  // of all runs
  std::array<bool, kPorts> offering_{};
};

}  // namespace rivulet
