// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A TileDevice made of a tile with a clock: each job becomes a program, is driven through the ports
// with random stalls, and its outputs are put in their places.
//
// Errors: as TileDevice; TimeOut also when nothing moves for long.

#include <memory>

#include "sw_model/tile/clocked_tile.h"
#include "sw_model/tile/device.h"
#include "sw_model/tile/tile_driver.h"
#include "sw_model/tile/tile_program.h"

namespace rivulet {

class ClockedDevice final : public TileDevice {
 public:
  ClockedDevice(std::unique_ptr<ClockedTile> tile, const DeviceOptions& options);

  GemmResult gemm(const GemmShape& shape, std::span<const Bf16> x, std::span<const int8_t> codes,
                  std::span<const Bf16> scale, const ReadRequest& read) override;
  GemmResult gemm_bf16(const GemmShape& shape, std::span<const Bf16> x, std::span<const Bf16> w,
                       Kind kind) override;
  Counters counters() const override;

 private:
  GemmResult run(const TileProduct& product);

  std::unique_ptr<ClockedTile> tile_;
  TileGeometry geometry_;
  RandomStalls stalls_;
  TileDriver driver_;
  Counters counters_;  // what follows from the jobs alone
};

// The cycle model of the tile.
std::unique_ptr<TileDevice> make_cycle_device(const Configuration& configuration,
                                              const DeviceOptions& options);

}  // namespace rivulet
