// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The verilated tile as a TileDevice: seed, stalls, waves and cycle limit as the options say.
//
// Errors: those of ClockedDevice and of rtl_tile.h.

#include <memory>

#include "sw_model/interfaces/configuration.h"
#include "sw_model/tile/device.h"

namespace rivulet {

std::unique_ptr<TileDevice> make_rtl_device(const Configuration& configuration,
                                            const DeviceOptions& options);

}  // namespace rivulet
