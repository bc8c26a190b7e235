// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/golden_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sw_model/tile/golden_product.h"

namespace rivulet {

JobId GoldenDevice::submit(TileJob job) {
  check_job(job);
  waiting_.push_back(std::move(job));
  return done_ + waiting_.size() - 1;
}

void GoldenDevice::wait(JobId id) {
  if (id >= done_ + waiting_.size())
    throw std::logic_error("wait for a job that was not submitted");
  while (done_ <= id) run_next();
}

bool GoldenDevice::arrived(JobId id, const Range& /*rows*/, const Range& /*columns*/) const {
  return id < done_;
}

void GoldenDevice::run_next() {
  const TileJob& job = waiting_.front();
  const TileProduct& product = job.product;
  for (size_t group = 0; group < product.groups(); ++group) {
    if ((job.x_ready && !job.x_ready({0, product.shape.m}, group)) ||
        (job.columns_ready && !job.columns_ready({0, product.shape.n}, group))) {
      throw std::logic_error(fmt::format("operands of job {} are not there in its turn", done_));
    }
  }
  const GemmResult result = golden_product(product);
  std::copy(result.acc.begin(), result.acc.end(), job.acc.begin());
  std::copy(result.y.begin(), result.y.end(), job.y.begin());
  counters_ += product_counters(product);
  counters_.special += result.counts.special;
  counters_.saturated += result.counts.saturated;
  waiting_.pop_front();
  ++done_;
}

}  // namespace rivulet
