// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The functional model of the tile (golden_product.h) as a device.
//
// A job runs when it is waited for, after all before it. There is no clock: cycles, beats and
// stalls stay 0, and every operand is counted as moved once.

#include <deque>

#include "sw_model/tile/device.h"

namespace rivulet {

class GoldenDevice : public TileDevice {
 public:
  JobId submit(TileJob job) override;
  // Throws std::logic_error if operands of a job are not there although all jobs before it are
  // done.
  void wait(JobId id) override;
  bool arrived(JobId id, const Range& rows, const Range& columns) const override;
  Counters counters() const override { return counters_; }

 private:
  void run_next();

  std::deque<TileJob> waiting_;
  JobId done_ = 0;  // jobs
  Counters counters_;
};

}  // namespace rivulet
