// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Notices that a simulation does not come to an end.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rivulet {

class Watchdog {
 public:
  // Limits: cycles in all (--max-cycles overrides it), and cycles without a transfer on any port.
  Watchdog(std::uint64_t max_cycles, std::uint64_t max_idle_cycles);

  // Once a cycle. Returns what is wrong, if anything is.
  std::optional<std::string> tick(bool progress);

 private:
  std::uint64_t max_cycles_;
  std::uint64_t max_idle_cycles_;
  std::uint64_t cycles_ = 0;
  std::uint64_t idle_cycles_ = 0;
};

}  // namespace rivulet
