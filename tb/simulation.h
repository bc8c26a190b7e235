// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// A verilated model in a test program: the waves of the run, if it is its turn (wave_ticket.h).

#pragma once

#include <cstdint>

#include "tb/verilated_model.h"
#include "tb/wave_ticket.h"

namespace rivulet {

// Outlives the model.
struct SimulationTicket {
  WaveTicket ticket;
};

template <typename Top>
class Simulation : private SimulationTicket, public VerilatedModel<Top> {
 public:
  explicit Simulation(std::uint64_t seed)
      : SimulationTicket{WaveTicket(seed)}, VerilatedModel<Top>(seed, ticket.waves()) {}

  std::uint64_t number() const { return ticket.number(); }
};

}  // namespace rivulet
