// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Rows that are prepared when they are asked for, in rising order and each of them once.

#include "sw_model/common/range.h"

namespace rivulet {

class Prepared {
 public:
  // Whether the rows are prepared. If not, and if `available(range)` says that what they are made
  // from is there, `prepare(range)` is called for all that are missing up to the last one.
  template <typename Available, typename Prepare>
  bool ready(const Range& rows, const Available& available, const Prepare& prepare) {
    if (rows.end() <= count_) return true;
    const Range missing{count_, rows.end() - count_};
    if (!available(missing)) return false;
    prepare(missing);
    count_ = rows.end();
    return true;
  }

 private:
  size_t count_ = 0;
};

}  // namespace rivulet
