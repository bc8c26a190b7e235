// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/tile_driver.h"

#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/tile/stream_traffic.h"

namespace rivulet {

std::vector<OutputBeat> run_streams(TileDriver& driver, const Configuration& configuration,
                                    const TileStreams& streams) {
  const TileGeometry geometry(configuration);
  StreamTraffic traffic(geometry, streams);
  driver.run(traffic);
  return traffic.take_beats();
}

}  // namespace rivulet
