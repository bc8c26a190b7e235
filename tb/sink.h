// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Drives ready of a handshake output and watches what is transferred.

#pragma once

#include <functional>

#include "tb/port.h"

namespace rivulet {

class Sink final : public Port {
 public:
  // `receive` is called, with the model settled, in every cycle whose edge transfers.
  Sink(std::string name, Stall stall, const CData& valid, CData& ready,
       std::function<void()> receive)
      : Port(std::move(name), std::move(stall), valid, ready),
        ready_out_(ready),
        receive_(std::move(receive)) {}

  void drive(Random& random) override { ready_out_ = !stalled(random); }
  void reset(Random& random) override { ready_out_ = random.below(2) == 0; }
  std::string state() const override { return "sink   " + Port::state(); }

 private:
  void transfer() override { receive_(); }

  CData& ready_out_;
  std::function<void()> receive_;
};

}  // namespace rivulet
