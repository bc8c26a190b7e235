// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The assertions bound to the converter are live: each rule that a neighbour can break is broken.

#include <functional>

#include "sw_model/converter/read_request.h"
#include "tb/simulation.h"
#include "tb/wire_port.h"
#include "tests/converter/converter_configs.h"

namespace rivulet {
namespace {

using Top = Vconverter_link64;

class ConverterAssertions : public testing::Test {
 protected:
  void SetUp() override {
    Top& top = simulation_.top();
    top.req_valid_i = 0;
    top.word_valid_i = 0;
    top.beat_ready_i = 0;
    cycle();
    cycle();
    top.rst_ni = 1;
    cycle();
  }
  void cycle() {
    simulation_.settle();
    simulation_.edge();
  }
  void offer(const ReadRequest& request) {
    simulation_.top().req_valid_i = 1;
    write_struct(simulation_.top().req_i, to_wire(request));
  }
  // What is offered is accepted twice: one under way, one waiting. The third offer is not.
  void block_request() {
    for (int i = 0; i < 3; ++i) cycle();
    simulation_.settle();
    EXPECT_FALSE(simulation_.top().req_ready_o);
    cycle();
    EXPECT_FALSE(simulation_.failed());
  }
  // A request and its word, up to the cycle in which a word waits.
  void block_word() {
    offer({Tier::kQ8, Kind::kKv, View{}, 32});
    cycle();
    simulation_.top().req_valid_i = 0;
    simulation_.top().word_valid_i = 1;
    cycle();
    cycle();
    EXPECT_FALSE(simulation_.failed());
  }
  // Runs `action` and returns what was printed; the simulation must have failed by then.
  std::string violation(const std::function<void()>& action) {
    EXPECT_FALSE(simulation_.failed());
    testing::internal::CaptureStdout();
    action();
    cycle();
    EXPECT_TRUE(simulation_.failed());
    return testing::internal::GetCapturedStdout();
  }

  Simulation<Top> simulation_{options().seeds(1).front()};
};

TEST_F(ConverterAssertions, RequestWithdrawn) {
  offer({Tier::kQ8, Kind::kKv, View{}, 32});
  block_request();
  const std::string text = violation([this] { simulation_.top().req_valid_i = 0; });
  EXPECT_NE(text.find("ReqStable_A"), std::string::npos) << text;
}

TEST_F(ConverterAssertions, RequestChanged) {
  offer({Tier::kQ8, Kind::kKv, View{}, 32});
  block_request();
  const std::string text = violation([this] { offer({Tier::kQ4, Kind::kKv, View{}, 32}); });
  EXPECT_NE(text.find("ReqStable_A"), std::string::npos) << text;
}

TEST_F(ConverterAssertions, WordChanged) {
  block_word();
  const std::string text = violation([this] { simulation_.top().word_i.data()[3] ^= 1U; });
  EXPECT_NE(text.find("WordStable_A"), std::string::npos) << text;
}

TEST_F(ConverterAssertions, WordWithdrawn) {
  block_word();
  const std::string text = violation([this] { simulation_.top().word_valid_i = 0; });
  EXPECT_NE(text.find("WordStable_A"), std::string::npos) << text;
}

TEST_F(ConverterAssertions, ShiftOutOfRange) {
  View view;
  view.shift = 6;
  const std::string text = violation([this, &view] { offer({Tier::kQ4, Kind::kKv, view, 32}); });
  EXPECT_NE(text.find("ShiftLegal_A"), std::string::npos) << text;
}

TEST_F(ConverterAssertions, ClampOutOfRange) {
  for (const int clamp : {0, 129}) {
    View view;
    view.clamp = clamp;
    Simulation<Top> fresh(1);
    testing::internal::CaptureStdout();
    fresh.top().rst_ni = 0;
    for (int i = 0; i < 4; ++i) {
      fresh.top().req_valid_i = i >= 2;
      fresh.top().rst_ni = i >= 2;
      write_struct(fresh.top().req_i, to_wire(ReadRequest{Tier::kQ4, Kind::kKv, view, 32}));
      fresh.settle();
      fresh.edge();
    }
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_TRUE(fresh.failed());
    EXPECT_NE(text.find("ClampLegal_A"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace rivulet
