// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What goes over the ports of a tile, as its driver sees it: the next element of every input
// stream, and a place for every result beat.

#include "sw_model/interfaces/block_traffic.h"
#include "sw_model/tile/clocked_tile.h"
#include "sw_model/tile/output_beat.h"

namespace rivulet {

class TileTraffic : public BlockTraffic<TileBlock> {
 public:
  virtual bool offer(TileStream stream, TileInputs& inputs) = 0;
  virtual void accepted(TileStream stream) = 0;
  virtual void arrived(const OutputBeat& beat) = 0;

  bool offer(size_t input, TileInputs& inputs) final {
    return offer(static_cast<TileStream>(input), inputs);
  }
  void accepted(size_t input) final { accepted(static_cast<TileStream>(input)); }
  void arrived(size_t /*output*/, const TileOutputs& outputs) final {
    arrived({.y = outputs.y, .acc = outputs.acc, .last = outputs.y_last});
  }
};

}  // namespace rivulet
