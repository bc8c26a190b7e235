// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// One end of a valid/ready handshake, as the bench holds it. See Source and Sink.
//
// A cycle of the bench: every port drives its signals, the model settles, the bench checks, every
// port samples whether the coming clock edge transfers, the edge.

#pragma once

#include <fmt/format.h>
#include <verilated.h>

#include <cstdint>
#include <string>
#include <utility>

#include "tb/random.h"
#include "tb/stall.h"

namespace rivulet {

class Port {
 public:
  Port(std::string name, Stall stall, const CData& valid, const CData& ready)
      : name_(std::move(name)), stall_(std::move(stall)), valid_(valid), ready_(ready) {}
  virtual ~Port() = default;
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  virtual void drive(Random& random) = 0;
  // Signals while the model is in reset; forgets what was under way.
  virtual void reset(Random& random) = 0;
  // Returns whether the coming edge transfers.
  bool sample() {
    if (valid_ == 0 || ready_ == 0) return false;
    transfer();
    ++transfers_;
    return true;
  }
  // One line for a person who looks for the cause of a standstill.
  virtual std::string state() const {
    return fmt::format("{}: valid {} ready {}, {} transfers, stall {}", name_, valid_, ready_,
                       transfers_, stall_.name());
  }

  const std::string& name() const { return name_; }
  std::uint64_t transfers() const { return transfers_; }

 protected:
  bool stalled(Random& random) { return stall_.next(random, transfers_); }

 private:
  virtual void transfer() = 0;

  std::string name_;
  Stall stall_;
  const CData& valid_;
  const CData& ready_;
  std::uint64_t transfers_ = 0;
};

}  // namespace rivulet
