// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// When the ports of a block are held back.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tb/random.h"
#include "tb/stall.h"

namespace rivulet {

// Inputs first, then outputs, numbered as one list.
struct PortNumber {
  size_t index = 0;
  bool output = false;
};

class BlockStalls {
 public:
  virtual ~BlockStalls() = default;
  // Asked once a cycle for every port that could offer or accept.
  virtual bool stalled(PortNumber port, uint64_t transfers) = 0;
};

// Each cycle on its own, with one probability for inputs and one for outputs.
class RandomStalls final : public BlockStalls {
 public:
  RandomStalls(double stall_in, double stall_out, uint64_t seed)
      : stall_in_(stall_in), stall_out_(stall_out), random_(seed) {}

  bool stalled(PortNumber port, uint64_t /*transfers*/) override {
    const double probability = port.output ? stall_out_ : stall_in_;
    return probability > 0 && random_.chance(probability);
  }

 private:
  double stall_in_;
  double stall_out_;
  Random random_;
};

// One stall of tb/stall.h for each port.
class PortStalls final : public BlockStalls {
 public:
  PortStalls(std::vector<Stall> stalls, uint64_t seed)
      : stalls_(std::move(stalls)), random_(seed) {}

  bool stalled(PortNumber port, uint64_t transfers) override {
    return stalls_[port.index].next(random_, transfers);
  }

 private:
  std::vector<Stall> stalls_;
  Random random_;
};

}  // namespace rivulet
