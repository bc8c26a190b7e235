// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// When a handshake port holds back: a valid that is not raised, a ready that is not given.

#pragma once

#include <cstdint>
#include <string>

#include "tb/random.h"

namespace rivulet {

class Stall {
 public:
  static Stall never();
  // Each cycle on its own, with probability `p`, 0 <= p < 1.
  static Stall random(double p);
  // Every second cycle: never free twice in a row.
  static Stall alternate();
  // `go` free cycles, then `stop` stalled ones, and again.
  static Stall bursts(unsigned go, unsigned stop);
  // Free, but transfer number `index` (from 0) is held back for `cycles` cycles.
  static Stall at_transfer(std::uint64_t index, unsigned cycles);

  // Whether this cycle is stalled. To be asked once a cycle, with the number of transfers so far.
  bool next(Random& random, std::uint64_t transfers);

  const std::string& name() const { return name_; }

 private:
  enum class Kind { kNever, kRandom, kBursts, kAtTransfer };
  Stall(Kind kind, std::string name) : kind_(kind), name_(std::move(name)) {}

  Kind kind_;
  std::string name_;
  double probability_ = 0;
  unsigned go_ = 0;
  unsigned stop_ = 0;
  std::uint64_t index_ = 0;
  unsigned count_ = 0;  // cycles into the burst period, or cycles held back so far
};

// The stall of the command line (--stall-in for sources, --stall-out for sinks) if given, else
// `stall`.
Stall stall_in_or(const Stall& stall);
Stall stall_out_or(const Stall& stall);

}  // namespace rivulet
