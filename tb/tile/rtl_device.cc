// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/rtl_device.h"

#include "tb/tile/clocked_device.h"
#include "tb/tile/rtl_tile.h"

namespace rivulet {

std::unique_ptr<TileDevice> make_rtl_device(const Configuration& configuration,
                                            const DeviceOptions& options) {
  RtlTileOptions tile_options{
      .seed = options.seed,
      .waves = {
          .file = options.trace_file, .start = options.trace_start, .stop = options.trace_stop}};
  return std::make_unique<ClockedDevice>(make_rtl_tile(configuration, tile_options), options);
}

}  // namespace rivulet
