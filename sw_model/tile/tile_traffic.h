// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What goes over the ports of a tile, as its driver sees it: the next element of every input
// stream, and a place for every result beat.

#include "sw_model/tile/clocked_tile.h"
#include "sw_model/tile/output_beat.h"

namespace rivulet {

class TileTraffic {
 public:
  virtual ~TileTraffic() = default;

  // Points `inputs` at the next element of a stream, which stays in place until it is accepted.
  // False: there is none now. Asked at most once a cycle and stream.
  virtual bool offer(TileStream stream, TileInputs& inputs) = 0;
  virtual void accepted(TileStream stream) = 0;
  // A beat that is not expected throws Mismatch.
  virtual void arrived(const OutputBeat& beat) = 0;
  // Nothing is left to be offered or to arrive.
  virtual bool done() const = 0;
};

}  // namespace rivulet
