// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Which results of a product have arrived: by row block and column.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw_model/common/range.h"
#include "sw_model/tile/result_walk.h"

namespace rivulet {

class ResultProgress {
 public:
  // A product of m rows, `positions` a row block, and n columns.
  ResultProgress(size_t m, size_t n, size_t positions);

  void add(const ResultWalk::Place& place);
  // Whether all of these have arrived; cheap while the last of them have not.
  bool complete(const Range& rows, const Range& columns) const;

 private:
  struct RowBlock {
    size_t count = 0;  // columns that are complete
    std::vector<uint8_t> complete;
  };

  size_t positions_;
  std::vector<RowBlock> blocks_;
};

}  // namespace rivulet
