// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/stall.h"

#include <fmt/format.h>

#include <stdexcept>

#include "tb/options.h"

namespace rivulet {

Stall Stall::never() { return Stall(Kind::kNever, "never"); }

Stall Stall::random(double p) {
  if (!(p >= 0 && p < 1)) {
    throw std::invalid_argument(fmt::format("stall probability {}: must be in [0, 1)", p));
  }
  Stall stall(Kind::kRandom, fmt::format("random {}", p));
  stall.probability_ = p;
  return stall;
}

Stall Stall::alternate() {
  Stall stall = bursts(1, 1);
  stall.name_ = "alternate";
  return stall;
}

Stall Stall::bursts(unsigned go, unsigned stop) {
  if (go == 0) throw std::invalid_argument("stall bursts: needs at least one free cycle");
  Stall stall(Kind::kBursts, fmt::format("bursts {} go {} stop", go, stop));
  stall.go_ = go;
  stall.stop_ = stop;
  return stall;
}

Stall Stall::at_transfer(std::uint64_t index, unsigned cycles) {
  Stall stall(Kind::kAtTransfer, fmt::format("{} cycles at transfer {}", cycles, index));
  stall.index_ = index;
  stall.stop_ = cycles;
  return stall;
}

bool Stall::next(Random& random, std::uint64_t transfers) {
  switch (kind_) {
    case Kind::kRandom:
      return random.chance(probability_);
    case Kind::kBursts: {
      const bool stalled = count_ >= go_;
      count_ = (count_ + 1) % (go_ + stop_);
      return stalled;
    }
    case Kind::kAtTransfer:
      if (transfers != index_ || count_ == stop_) return false;
      ++count_;
      return true;
    case Kind::kNever:
      break;
  }
  return false;
}

Stall stall_in_or(const Stall& stall) {
  return options().stall_in ? Stall::random(*options().stall_in) : stall;
}

Stall stall_out_or(const Stall& stall) {
  return options().stall_out ? Stall::random(*options().stall_out) : stall;
}

}  // namespace rivulet
