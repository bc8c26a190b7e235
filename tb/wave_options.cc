// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/wave_options.h"

#include <fmt/format.h>

namespace rivulet {

std::string wave_message(const WaveResult& result) {
  if (!result.written()) {
    return fmt::format("waves: none in {}: the simulation ended after {} cycles, before cycle {}",
                       result.file, result.cycles, result.start);
  }
  std::string text =
      fmt::format("waves: gtkwave {}  (cycles {} to {}", result.file, result.start, result.last());
  if (result.signal != 0) text += ", interrupted";
  if (result.stop != kLastCycle && result.last() < result.stop) {
    text += fmt::format("; the simulation ended before cycle {}", result.stop);
  }
  return text + ")";
}

}  // namespace rivulet
