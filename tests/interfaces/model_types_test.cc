// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Types of the models that are read back from ports: from_wire() loses nothing of the struct, and
// to_wire() is its inverse.

#include <gtest/gtest.h>

#include "sw_model/converter/read_request.h"
#include "sw_model/interfaces/segment.h"
#include "tb/options.h"
#include "tb/random.h"
#include "tb/wire_bits.h"
#include "tb/wire_port.h"

namespace rivulet {
namespace {

template <typename Struct>
class ModelTypesTest : public ::testing::Test {};
using BothWays = ::testing::Types<wire::View, wire::ReadReq, wire::Segment, wire::FillSeg>;
TYPED_TEST_SUITE(ModelTypesTest, BothWays);

TYPED_TEST(ModelTypesTest, EveryBitComesBack) {
  constexpr int kRounds = 1'000;
  Random random(options().seeds(1).front());
  int compared = 0;
  for (int i = 0; i < kRounds; ++i) {
    typename TypeParam::Words words{};
    for (uint64_t& word : words) word = random.next();
    const auto port = TypeParam::unpack(words);
    const auto model = from_wire(port);
    ASSERT_TRUE(to_wire(model) == port) << hex(bits_of(port));
    ASSERT_TRUE(from_wire(to_wire(model)) == model);
    ++compared;
  }
  EXPECT_EQ(compared, kRounds);
}

}  // namespace
}  // namespace rivulet
