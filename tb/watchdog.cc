// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/watchdog.h"

#include <fmt/format.h>

#include "tb/options.h"

namespace rivulet {

Watchdog::Watchdog(std::uint64_t max_cycles, std::uint64_t max_idle_cycles)
    : max_cycles_(options().max_cycles.value_or(max_cycles)), max_idle_cycles_(max_idle_cycles) {}

std::optional<std::string> Watchdog::tick(bool progress) {
  idle_cycles_ = progress ? 0 : idle_cycles_ + 1;
  if (++cycles_ >= max_cycles_) return fmt::format("not done after {} cycles", cycles_);
  if (idle_cycles_ >= max_idle_cycles_) {
    return fmt::format("no transfer on any port for {} cycles", idle_cycles_);
  }
  return std::nullopt;
}

}  // namespace rivulet
