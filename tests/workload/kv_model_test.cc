// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The golden model with a KV policy, and two runs compared answer by answer.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "sw_model/tile/golden_device.h"
#include "sw_model/workload/evaluation.h"
#include "sw_model/workload/golden_model.h"
#include "tb/random.h"
#include "tests/numerics/compared.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

constexpr size_t kGroup = 8;

ModelConfig long_config() {
  ModelConfig config = small_config();
  config.max_positions = 192;
  return config;
}

// Predictions of a forward behind each of `blocks` blocks of random tokens.
std::vector<std::vector<Prediction>> run(const KvOptions* options, size_t blocks) {
  const ModelConfig config = long_config();
  const auto weights = std::make_shared<const GoldenWeights>(config, random_weights(config, 1),
                                                             WeightFormat::kQ8, kGroup);
  GoldenModel model(weights, std::make_shared<GoldenDevice>(), std::make_shared<GoldenDevice>(),
                    kMaxAlignWidth);
  if (options != nullptr) model.set_kv(*options);
  Random random(test_seed());
  std::vector<std::vector<Prediction>> result;
  for (size_t block = 0; block < blocks; ++block) {
    std::vector<int> tokens(config.block_size);
    for (int& token : tokens) token = static_cast<int>(3 + random.below(21));
    model.forward(tokens, 0, false);
    model.commit();
    for (size_t i = 4; i < tokens.size(); ++i) tokens[i] = config.mask_token;
    result.push_back(model.forward(tokens, 0, true));
  }
  return result;
}

TEST(KvModel, RawPrefixIsUnchangedAndWidthsOrderTheError) {
  constexpr size_t kBlocks = 20, kFit = 16;  // 160 and 128 tokens
  const auto exact = run(nullptr, kBlocks);
  Compared compared("probabilities of a raw prefix", test_seed());
  std::vector<double> errors;
  for (const KvPolicy policy : {KvPolicy::kQ8, KvPolicy::kQ4, KvPolicy::kQ2, KvPolicy::kFresh}) {
    const KvOptions options{.policy = policy, .bits = 1, .ledger = std::make_shared<KvLedger>()};
    const auto got = run(&options, kBlocks);
    double error = 0;
    for (size_t block = 0; block < kBlocks; ++block) {
      for (size_t i = 0; i < exact[block].size(); ++i) {
        const float a = exact[block][i].probability, b = got[block][i].probability;
        if (block + 1 < kFit) {
          compared.holds(a == b && exact[block][i].token == got[block][i].token,
                         [&] { return fmt::format("block {} row {}", block, i); });
        } else {
          error += std::abs(static_cast<double>(a - b));
        }
      }
    }
    errors.push_back(error);
    // Keys of the 15 raw prefixes: 8 to 120 entries in 2 layers and 2 heads.
    EXPECT_EQ(options.ledger->keys[KvLedger::kRaw].load(), 4U * 8 * 120);
  }
  compared.done(4 * (kFit - 1) * 8);
  EXPECT_GT(errors[0], 0);
  EXPECT_LT(errors[0] * 2, errors[1]);
  EXPECT_LT(errors[1], errors[2]);
  EXPECT_LT(errors[1], errors[3]);
}

TEST(KvModel, ComparisonCountsLostGainedAndIdentical) {
  Score first, second;
  first.answers = {{{5}, true, true}, {{6}, true, true}, {{7}, true, false}, {{8}, false, false}};
  second.answers = {{{5}, true, true}, {{9}, true, false}, {{4}, true, true}, {{8}, true, false}};
  const Comparison result = compare(first, second);
  EXPECT_EQ(result.n, 4U);
  EXPECT_EQ(result.lost, 1U);
  EXPECT_EQ(result.gained, 1U);
  EXPECT_EQ(result.identical, 1U);  // the last one ended in one run only
  EXPECT_EQ(result.change, 0);
  EXPECT_NEAR(result.half, 1.959964 * std::sqrt(2.0) / 4, 1e-9);
  second.answers.pop_back();
  EXPECT_THROW(compare(first, second), std::invalid_argument);
}

}  // namespace
}  // namespace rivulet
