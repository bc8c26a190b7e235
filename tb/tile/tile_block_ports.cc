// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/tile_block_ports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sw_model/numerics/fp32.h"

namespace rivulet {

std::string BlockPorts<TileBlock>::text(size_t /*output*/, const TileOutputs& outputs) {
  std::string text;
  for (size_t row = 0; row < kMaxYRows; ++row) {
    text += fmt::format("{:016X}", outputs.y[row]);
    for (const uint32_t acc : outputs.acc[row]) {
      text += fmt::format(" {:08X} ({:.9g})", acc, fp32_from_bits(acc));
    }
    text += " | ";
  }
  return text + (outputs.y_last ? "last" : "");
}

std::string BlockPorts<TileBlock>::text(const TileCounters& c) {
  return fmt::format(
      "cycles {} beats {} carry {} macs {} wait: no job {} first load {} load {} codes {} scales "
      "{} "
      "psum {} results {}; loads {} x {} w {} scale {} y {} words {} special {} saturated {} codes "
      "{} "
      "link beats {}",
      c.cycles, fmt::join(c.array_beats, " "), c.carry_beats, fmt::join(c.macs, " "), c.wait_no_job,
      c.wait_first_load, c.wait_load, c.wait_codes, c.wait_scales, c.wait_psum, c.wait_results,
      c.loads, c.x_beats, c.w_beats, c.scale_beats, c.y_beats, c.words, c.special, c.saturated,
      fmt::join(c.converter.codes, " "), fmt::join(c.converter.beats, " "));
}

}  // namespace rivulet
