// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_job.h"

#include <fmt/format.h>

#include <stdexcept>

namespace rivulet {

void check_job(const TileJob& job) {
  check_product(job.product);
  const size_t size = job.product.shape.m * job.product.shape.n;
  if (job.acc.size() != size || job.y.size() != size) {
    throw std::invalid_argument(fmt::format("acc and y have room for {} and {} results of {}",
                                            job.acc.size(), job.y.size(), size));
  }
}

}  // namespace rivulet
