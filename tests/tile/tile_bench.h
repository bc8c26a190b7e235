// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Bench of the tile: products in, results out.
//
// The RTL runs beside its cycle model (every port in every cycle), and every output word is
// compared with the functional model. Ignored places carry poison, idle inputs carry noise. One
// bench is one simulation: programs follow each other without a reset.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sw_model/tile/tile_model.h"
#include "sw_model/tile/tile_program.h"
#include "tb/block/lockstep_block.h"
#include "tb/scoreboard.h"
#include "tb/tile/tile_driver.h"
#include "tb/wave_ticket.h"
#include "tests/tile/random_commands.h"
#include "tests/tile/random_product.h"
#include "tests/tile/tile_variants.h"

namespace rivulet {

// Named patterns: which ports are held back and how.
struct StallPattern {
  const char* name;
  std::vector<Stall> stalls;  // one per port
};
const std::vector<StallPattern>& stall_patterns();

// Puts a faulty tile around another one, for tests that must fail.
using TilePtr = std::unique_ptr<ClockedBlock<TileBlock>>;
using WrapTile = TilePtr (*)(TilePtr);
struct TileFaults {
  WrapTile rtl = nullptr;   // between the RTL and the comparison with the cycle model
  WrapTile both = nullptr;  // behind that comparison: only the results tell
};

class TileBench {
 public:
  TileBench(const TileVariant& variant, const StallPattern& pattern, uint64_t seed,
            TileFaults faults = {});

  // Runs the products as one program and compares. Returns false after a mismatch or a time-out.
  bool run(const std::vector<OwnedProduct>& products);
  // Runs the commands and compares the result beats.
  bool run(const RandomCommands& commands);
  // Runs the streams for some cycles, then resets RTL and model.
  bool run_and_reset(const TileStreams& streams, uint64_t cycles);
  bool run_and_reset(const std::vector<OwnedProduct>& products, uint64_t cycles);
  // Idle cycles, the counts of the scoreboard, the report; every cycle has one name in the
  // counters. True if all was as expected.
  bool finish();

 private:
  void compare(const std::vector<OwnedProduct>& products, const TileProgram& program,
               const std::vector<OutputBeat>& beats);

  const TileVariant& variant_;
  WaveTicket ticket_;
  uint64_t cycle_ = 0;
  Scoreboard scoreboard_;
  TilePtr dut_;
  TileModel model_;
  LockstepBlock<TileBlock>* lockstep_ = nullptr;
  TilePtr tile_;  // what is driven: the lockstep pair
  uint64_t seed_;
  PortStalls stalls_;
  std::unique_ptr<TileDriver> driver_;
};

}  // namespace rivulet
