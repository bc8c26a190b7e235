// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Neighbouring rows, columns or lanes.

#include <cstddef>

namespace rivulet {

struct Range {
  size_t first = 0;
  size_t count = 0;

  constexpr size_t end() const { return first + count; }
  friend bool operator==(const Range&, const Range&) = default;
};

}  // namespace rivulet
