// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/stage.h"

#include <utility>

namespace rivulet {

Stage::Stage(TileDevice& device, const GemmShape& shape)
    : device_(device),
      shape_(shape),
      x_(shape.m * shape.k),
      acc_(shape.m * shape.n),
      y_(shape.m * shape.n) {}

void Stage::submit(TileProduct operand, OperandReady x_ready, OperandReady columns_ready) {
  operand.shape = shape_;
  operand.x = x_;
  job_ = device_.submit({.product = std::move(operand),
                         .acc = acc_,
                         .y = y_,
                         .x_ready = std::move(x_ready),
                         .columns_ready = std::move(columns_ready)});
}

bool Stage::arrived(const Range& rows, const Range& columns) const {
  return device_.arrived(job_, rows, columns);
}

}  // namespace rivulet
