// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// A bench whose simulations end in every way, for wave_file_test.cc: not a test of its own.

#include <gtest/gtest.h>

#include <stdexcept>

#include "Vstream_narrow_2.h"
#include "tb/simulation.h"

namespace rivulet {
namespace {

void run(Simulation<Vstream_narrow_2>& simulation, unsigned cycles) {
  simulation.top().in_valid_i = 0;
  for (unsigned i = 0; i < cycles; ++i) {
    simulation.top().rst_ni = i > 2;
    simulation.settle();
    simulation.edge();
  }
}

// Simulations of 21, 22, ... cycles; the eighth fails.
class Many : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Wave, Many, testing::Range(1U, 31U));
TEST_P(Many, EighthFails) {
  Simulation<Vstream_narrow_2> simulation(GetParam());
  run(simulation, 20 + GetParam());
  EXPECT_NE(GetParam(), 8U);
}

TEST(One, Passes) {
  for (const unsigned cycles : {100U, 50U}) {
    Simulation<Vstream_narrow_2> simulation(1);
    run(simulation, cycles);
  }
}

TEST(One, Throws) {
  Simulation<Vstream_narrow_2> simulation(1);
  run(simulation, 40);
  throw std::runtime_error("on purpose");
}

TEST(One, NeverEnds) {
  Simulation<Vstream_narrow_2> simulation(1);
  for (;;) run(simulation, 1000);
}

}  // namespace
}  // namespace rivulet
