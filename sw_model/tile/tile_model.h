// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_tile: every ready, valid and counter of every cycle, and every payload
// that is valid, as the RTL.
//
// Made of the cycle models of its blocks. Timing: docs/array.md and docs/converter.md. Arithmetic:
// docs/numerics.md.

#include <cstddef>
#include <cstdint>

#include "sw_model/array/array_model.h"
#include "sw_model/array/fifo_model.h"
#include "sw_model/array/replay_model.h"
#include "sw_model/array/x_store_model.h"
#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/tile/clocked_tile.h"
#include "sw_model/tile/fill_model.h"

namespace rivulet {

class TileModel final : public ClockedTile {
 public:
  explicit TileModel(const Configuration& configuration);

  const Configuration& configuration() const override { return geometry_.configuration(); }
  void reset() override;
  const TileOutputs& step(const TileInputs& inputs) override;
  TileCounters counters() const override;

 private:
  // What is counted of a cycle, one cycle later.
  struct Events {
    bool counts = false;  // not in the first cycle after a reset
    ArrayModel::Events array;
    bool load = false;  // handshakes of the streams
    bool x = false;
    bool word = false;
    bool w = false;
    bool scale = false;
    bool y = false;
  };

  void count();

  TileGeometry geometry_;
  FifoModel<TileLoad, 4> load_;
  FifoModel<TileRead, 4> read_;
  FifoModel<TilePass, 4> pass_;
  XStoreModel x_store_;
  FillModel fill_;
  ReplayModel replay_;
  ArrayModel array_;
  TileOutputs outputs_;
  Events events_;
  TileCounters counters_;
};

}  // namespace rivulet
