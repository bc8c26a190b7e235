// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/interfaces/stream.h"

#include <stdexcept>

namespace rivulet {

Stream stream_of(Tier tier) {
  if (tier == Tier::kQ0) throw std::invalid_argument("tier q0 streams no codes");
  return static_cast<Stream>(tier);
}

}  // namespace rivulet
