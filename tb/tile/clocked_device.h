// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A TileDevice made of a tile with a clock: jobs become the traffic of its ports, driven with
// random stalls.
//
// Errors: as TileDevice; TimeOut also when nothing moves for long.

#include <memory>

#include "sw_model/tile/clocked_tile.h"
#include "sw_model/tile/device.h"
#include "sw_model/tile/tile_queue.h"
#include "tb/tile/tile_driver.h"

namespace rivulet {

class ClockedDevice final : public TileDevice {
 public:
  ClockedDevice(std::unique_ptr<ClockedTile> tile, const DeviceOptions& options);

  JobId submit(TileJob job) override;
  void wait(JobId id) override;
  bool arrived(JobId id, const Range& rows, const Range& columns) const override {
    return queue_.arrived(id, rows, columns);
  }
  Counters counters() const override;

 private:
  void count(const TileSchedule& schedule);

  std::unique_ptr<ClockedTile> tile_;
  TileGeometry geometry_;
  TileQueue queue_;
  RandomStalls stalls_;
  TileDriver driver_;
  Counters counters_;  // what follows from the jobs alone
};

// The cycle model of the tile.
std::unique_ptr<TileDevice> make_cycle_device(const Configuration& configuration,
                                              const DeviceOptions& options);

}  // namespace rivulet
