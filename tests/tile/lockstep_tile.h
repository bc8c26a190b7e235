// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Two tiles that get the same inputs: a tile under test and its cycle model. Every output is
// compared in every cycle (payloads while they are valid), counters included.

#include <array>
#include <cstdint>
#include <string>

#include "sw_model/tile/clocked_tile.h"
#include "tb/scoreboard.h"

namespace rivulet {

class LockstepTile final : public ClockedTile {
 public:
  // All outlive this object. `cycle` is set to the number of the present cycle.
  LockstepTile(ClockedTile& dut, ClockedTile& model, Scoreboard& scoreboard, uint64_t& cycle);

  const Configuration& configuration() const override { return dut_.configuration(); }
  void reset() override;
  // Throws Mismatch after the first mismatch.
  const TileOutputs& step(const TileInputs& inputs) override;
  TileCounters counters() const override { return dut_.counters(); }

  // Tells the scoreboard how many values should have been compared in `cycles` cycles.
  void expect(uint64_t cycles);

 private:
  ClockedTile& dut_;
  ClockedTile& model_;
  Scoreboard& scoreboard_;
  uint64_t& cycle_;
  std::array<Channel*, kTileStreams> ready_;
  Channel& y_valid_;
  Channel& y_;
  Channel& counters_;
};

}  // namespace rivulet
