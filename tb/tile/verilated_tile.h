// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// One class of verilated tile. `Top` is made by Verilator from rivulet_tile.

#include <memory>

#include "tb/block/verilated_block.h"
#include "tb/tile/rtl_tile.h"
#include "tb/tile/tile_block_ports.h"

namespace rivulet {

template <typename Top>
class VerilatedTile final : public VerilatedBlock<TileBlock, Top, ClockedTile> {
 public:
  VerilatedTile(const Configuration& configuration, const RtlTileOptions& options)
      : VerilatedBlock<TileBlock, Top, ClockedTile>(options.seed, options.waves),
        configuration_(configuration) {
    check_tile_info(configuration_, read_struct<wire::TileInfo>(this->top().info_o));
  }

  const Configuration& configuration() const override { return configuration_; }

 private:
  Configuration configuration_;
};

template <typename Top>
std::unique_ptr<ClockedTile> make_verilated_tile(const Configuration& configuration,
                                                 const RtlTileOptions& options) {
  return std::make_unique<VerilatedTile<Top>>(configuration, options);
}

}  // namespace rivulet
