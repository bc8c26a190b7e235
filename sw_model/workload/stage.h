// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// One matrix product of a forward: its rows, its results, and the job that makes them.
//
// Rows are written by the one who owns the stage, at the latest when the device asks for them.

#include <span>
#include <vector>

#include "sw_model/tile/device.h"

namespace rivulet {

class Stage {
 public:
  // The device outlives the stage, and the stage its job.
  Stage(TileDevice& device, const GemmShape& shape);

  const GemmShape& shape() const { return shape_; }
  std::span<Bf16> x() { return x_; }
  std::span<Bf16> x(size_t row) { return std::span(x_).subspan(row * shape_.k, shape_.k); }
  std::span<const float> acc(size_t row) const {
    return std::span(acc_).subspan(row * shape_.n, shape_.n);
  }
  std::span<const Bf16> y(size_t row) const {
    return std::span(y_).subspan(row * shape_.n, shape_.n);
  }

  // Submits the product of x with an operand, whose shape and x are set here.
  void submit(TileProduct operand, OperandReady x_ready, OperandReady columns_ready = {});
  bool arrived(const Range& rows, const Range& columns) const;
  bool arrived(const Range& rows) const { return arrived(rows, {0, shape_.n}); }
  void wait() { device_.wait(job_); }

 private:
  TileDevice& device_;
  GemmShape shape_;
  std::vector<Bf16> x_;
  std::vector<float> acc_;
  std::vector<Bf16> y_;
  JobId job_ = 0;
};

}  // namespace rivulet
