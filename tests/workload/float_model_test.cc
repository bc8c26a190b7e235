// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/float_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tb/project_root.h"
#include "tests/numerics/compared.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

// Weights, tokens and logits by PyTorch in double precision: tests/workload/torch_logits.py.
TEST(FloatModel, LogitsOfPyTorch) {
  constexpr double kTolerance = 2e-5;
  TensorFile file = read_safetensors(project_file("tests/data/workload/torch_logits.safetensors"));
  const auto tokens = elements_of<int32_t>(file.at("tokens"));
  const auto expected = elements_of<float>(file.at("logits"));
  file.tensors.erase("tokens");
  file.tensors.erase("logits");
  const ModelConfig config = small_config();
  const auto weights =
      std::make_shared<const ModelWeights>(take_weights(config, std::move(file), "torch"));
  FloatModel model(config, weights);
  const size_t prefix = tokens.size() - config.block_size;
  for (size_t begin = 0; begin < prefix; begin += config.block_size) {
    model.forward(std::span(tokens).subspan(begin, config.block_size), 0, false);
    model.commit();
  }
  const auto got = model.logits(std::span(tokens).subspan(prefix), 0);
  Compared compared("logits of the float model");
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    compared.holds(std::abs(static_cast<double>(got[i]) - expected[i]) < kTolerance, [&] {
      return fmt::format("logit {}: expected {}, got {}", i, expected[i], got[i]);
    });
  }
  compared.done(config.block_size * config.vocab_size);
}

TEST(FloatModel, OutOfOrderCallsAreRefused) {
  const ModelConfig config = small_config();
  FloatModel model(config, std::make_shared<const ModelWeights>(random_weights(config, 1)));
  const std::vector<int> block(config.block_size, 5);
  EXPECT_THROW(model.commit(), std::logic_error);
  EXPECT_THROW(model.forward(std::span(block).first(4), 0, true), std::logic_error);
  EXPECT_THROW(model.forward(block, 1, true), std::logic_error);
  EXPECT_THROW(model.rewind(8), std::logic_error);
  for (size_t i = 0; i < config.usable_positions() / config.block_size; ++i) {
    model.forward(block, 0, false);
    model.commit();
  }
  EXPECT_THROW(model.forward(block, 0, false), std::logic_error);
  EXPECT_THROW(model.rewind(3), std::logic_error);
  model.rewind(8);
  EXPECT_EQ(model.prefix_length(), 8U);
  EXPECT_NO_THROW(model.forward(block, 0, true));
}

}  // namespace
}  // namespace rivulet
