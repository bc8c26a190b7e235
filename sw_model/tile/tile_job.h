// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A matrix product as a device runs it: its operands, where its results go, and when its operands
// are there.
//
// All memory belongs to the caller and stays in place until the job was waited for. Operands may be
// written while earlier jobs run: the device asks before it looks at them. A hook may compute what
// it is asked for in that call, when the results that it needs have arrived (TileDevice::arrived).
// It is asked again after a refusal only when another result has arrived, and must stay with its
// yes. The first questions of a hook come in rising order of rows, or columns, in each group.

#include <cstddef>
#include <functional>
#include <span>

#include "sw_model/common/range.h"
#include "sw_model/tile/tile_product.h"

namespace rivulet {

// The number of a job, from 0 in the order of submission.
using JobId = size_t;

// Whether these rows, or columns, of an operand are there for one group of lanes.
using OperandReady = std::function<bool(const Range& range, size_t group)>;

struct TileJob {
  TileProduct product;
  std::span<float> acc;             // results [m, n]
  std::span<Bf16> y;                // the same rounded [m, n]
  OperandReady x_ready = {};        // rows of x; none: all are there
  OperandReady columns_ready = {};  // columns of codes and scales, or of w; none: all are there
};

// As check_product(), the results too.
void check_job(const TileJob& job);

}  // namespace rivulet
