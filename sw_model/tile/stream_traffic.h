// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The traffic of streams that were written out beforehand; keeps the result beats.

#include <array>
#include <cstddef>
#include <vector>

#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/tile/tile_streams.h"
#include "sw_model/tile/tile_traffic.h"

namespace rivulet {

class StreamTraffic final : public TileTraffic {
 public:
  // Both outlive the traffic.
  StreamTraffic(const TileGeometry& geometry, const TileStreams& streams);

  using TileTraffic::accepted;
  using TileTraffic::arrived;
  using TileTraffic::offer;
  bool offer(TileStream stream, TileInputs& inputs) override;
  void accepted(TileStream stream) override { ++next_[static_cast<size_t>(stream)]; }
  void arrived(const OutputBeat& beat) override;
  bool done() const override { return beats_.size() == streams_.y_beats && next_ == counts_; }

  std::vector<OutputBeat> take_beats() { return std::move(beats_); }

 private:
  const TileGeometry& geometry_;
  const TileStreams& streams_;
  std::array<size_t, kTileStreams> counts_;  // elements of each stream
  std::array<size_t, kTileStreams> next_{};  // element that is offered next
  std::vector<OutputBeat> beats_;
};

}  // namespace rivulet
