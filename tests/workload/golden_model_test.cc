// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/golden_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sw_model/tile/checked_device.h"
#include "sw_model/tile/golden_device.h"
#include "sw_model/workload/decoder.h"
#include "sw_model/workload/evaluation.h"
#include "sw_model/workload/float_model.h"
#include "tb/random.h"
#include "tb/tile/clocked_device.h"
#include "tests/numerics/compared.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

constexpr size_t kGroup = 8;

struct Bench {
  explicit Bench(WeightFormat format, uint64_t seed = 1) {
    const ModelConfig config = small_config();
    weights = std::make_shared<const ModelWeights>(random_weights(config, seed));
    golden_weights = std::make_shared<const GoldenWeights>(config, *weights, format, kGroup);
    model = make();
  }

  std::unique_ptr<GoldenModel> make() {
    return std::make_unique<GoldenModel>(golden_weights, device, device, kMaxAlignWidth);
  }

  std::shared_ptr<const ModelWeights> weights;
  std::shared_ptr<const GoldenWeights> golden_weights;
  std::shared_ptr<GoldenDevice> device = std::make_shared<GoldenDevice>();
  std::unique_ptr<GoldenModel> model;
};

std::vector<int> random_tokens(Random& random, size_t size) {
  std::vector<int> tokens(size);
  for (int& token : tokens) token = static_cast<int>(3 + random.below(21));
  return tokens;
}

bool same(const std::vector<Prediction>& a, const std::vector<Prediction>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Prediction& p, const Prediction& q) {
                      return p.token == q.token && p.probability == q.probability;
                    });
}

// BF16 keeps 8 bits: probabilities of the two models stay close, and mostly name the same token.
TEST(GoldenModel, Bf16FollowsTheFloatModel) {
  Bench bench(WeightFormat::kBf16);
  FloatModel reference(small_config(), bench.weights);
  Random random(test_seed());
  size_t tokens = 0, equal = 0;
  double error = 0;
  for (size_t block = 0; block < 7; ++block) {
    const std::vector<int> input = random_tokens(random, 8);
    const auto expected = reference.forward(input, 0, true);
    const auto got = bench.model->forward(input, 0, true);
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i, ++tokens) {
      equal += got[i].token == expected[i].token ? 1 : 0;
      error += std::abs(got[i].probability - expected[i].probability);
    }
    reference.commit();
    bench.model->commit();
  }
  EXPECT_EQ(tokens, 56U);
  EXPECT_GE(equal, 52U);
  EXPECT_LT(error / static_cast<double>(tokens), 0.02);
}

// With the block cache in place, a short forward gives the bits of the whole block's forward.
TEST(GoldenModel, SubBlockForwardEqualsBlockForward) {
  Random random(test_seed());
  Compared compared("sub-block predictions", test_seed());
  for (const WeightFormat format : {WeightFormat::kBf16, WeightFormat::kQ8}) {
    Bench bench(format);
    for (size_t block = 0; block < 3; ++block) {
      const std::vector<int> input = random_tokens(random, 8);
      const auto whole = bench.model->forward(input, 0, true);
      for (size_t begin = 0; begin < 8; begin += 4) {
        const auto part = bench.model->forward(std::span(input).subspan(begin, 4), begin, true);
        compared.holds(same(part, {whole.begin() + static_cast<std::ptrdiff_t>(begin),
                                   whole.begin() + static_cast<std::ptrdiff_t>(begin + 4)}),
                       [&] { return fmt::format("block {}, position {}", block, begin); });
      }
      bench.model->commit();
    }
  }
  compared.done(2 * 3 * 2);
}

// Whether a block enters the prefix with or without predictions, and after whatever came before a
// rewind, must not matter.
TEST(GoldenModel, PrefixDoesNotDependOnItsHistory) {
  Random random(test_seed());
  Bench bench(WeightFormat::kQ8);
  const std::unique_ptr<GoldenModel> other = bench.make();
  const auto first = random_tokens(random, 8), second = random_tokens(random, 8);
  const auto noise = random_tokens(random, 8), last = random_tokens(random, 8);
  for (const auto& block : {first, second}) {
    bench.model->forward(block, 0, false);
    bench.model->commit();
  }
  for (const auto& block : {first, noise}) {
    other->forward(block, 0, true);
    other->commit();
  }
  other->rewind(8);
  other->forward(noise, 0, true);
  other->forward(second, 0, true);
  other->commit();
  EXPECT_TRUE(same(bench.model->forward(last, 0, true), other->forward(last, 0, true)));
}

// Jobs in flight on the cycle model, rows prepared as results arrive, attention on the host or on
// the tile: the bits of the golden device, which runs one job after the other.
TEST(GoldenModel, JobsInFlightGiveTheSameBits) {
  Compared compared("predictions on the cycle model", test_seed());
  for (const WeightFormat format : {WeightFormat::kBf16, WeightFormat::kQ8}) {
    for (const bool attention_on_tile : {false, true}) {
      Random random(test_seed());
      Bench bench(format);
      const DeviceOptions stalls{.seed = 1, .stall_in = 0.1, .stall_out = 0.1};
      const auto tile = std::make_shared<CheckedDevice>(
          make_cycle_device(configuration("unit"), stalls), std::make_unique<GoldenDevice>(), "");
      std::shared_ptr<TileDevice> attention = std::make_shared<GoldenDevice>();
      if (attention_on_tile) attention = tile;
      GoldenModel model(bench.golden_weights, tile, attention, kMaxAlignWidth);
      for (size_t block = 0; block < 4; ++block) {
        const std::vector<int> input = random_tokens(random, 8);
        const bool predict = block % 2 == 1;
        const auto expected = bench.model->forward(input, 0, predict);
        compared.holds(same(model.forward(input, 0, predict), expected),
                       [&] { return fmt::format("block {}", block); });
        if (predict) {
          const auto part = std::span(input).subspan(4);
          compared.holds(same(model.forward(part, 4, true), bench.model->forward(part, 4, true)),
                         [&] { return fmt::format("sub-block of block {}", block); });
        }
        bench.model->commit();
        model.commit();
      }
      EXPECT_EQ(tile->words_compared(), tile->words_expected());
      EXPECT_GT(tile->words_compared(), 0U);
      // Products follow each other without a wait for the host to see that one is done.
      const Counters counters = tile->counters();
      EXPECT_LT(counters.idle_cycles.at("no_job"), counters.cycles / 20);
    }
  }
  compared.done(2 * 2 * (4 + 2));
}

// Narrower reads of the same codes: other values, and the scales that fit them.
TEST(GoldenModel, TiersReadTheSameCodes) {
  const ModelConfig config = small_config();
  const ModelWeights weights = random_weights(config, 1);
  const auto of_tier = [&](Tier tier) {
    return std::make_shared<const GoldenWeights>(config, weights, WeightFormat::kQ8, kGroup, tier);
  };
  const auto q8 = of_tier(Tier::kQ8);
  for (const Tier tier : {Tier::kQ4, Tier::kQ2}) {
    const auto narrow = of_tier(tier);
    const GoldenWeights::Linear& o = narrow->layers[0].o;
    EXPECT_EQ(o.q8.codes, q8->layers[0].o.q8.codes);
    double error = 0, size = 0;
    for (size_t i = 0; i < o.q8.codes.size(); ++i) {
      const size_t group = i / o.columns * o.q8.groups + i % o.columns / kGroup;
      const double want = o.q8.codes[i] * to_float(q8->layers[0].o.q8.scales[group]);
      const double got = view_code(o.q8.codes[i], tier, o.read.view) * to_float(o.q8.scales[group]);
      error += (got - want) * (got - want);
      size += want * want;
    }
    EXPECT_LT(error / size, tier == Tier::kQ4 ? 0.02 : 0.35) << bits_per_code(tier);
    const auto device = std::make_shared<GoldenDevice>();
    GoldenModel model(narrow, device, device, kMaxAlignWidth);
    EXPECT_EQ(model.forward(std::vector<int>(8, 5), 0, true).size(), 8U);
    const auto stream = static_cast<size_t>(stream_of(tier));
    EXPECT_GT(device->counters().macs[stream], 0U);
    EXPECT_EQ(device->counters().macs[static_cast<size_t>(Stream::kQ8)], 0U);
  }
  EXPECT_THROW(of_tier(Tier::kQ0), std::invalid_argument);
}

TEST(GoldenModel, DecodesDoNotDependOnKeptPrefixes) {
  Random random(test_seed());
  Bench bench(WeightFormat::kQ8);
  Decoder kept(*bench.model, {.max_tokens = 20});
  std::vector<int> prompt = random_tokens(random, 30);
  for (size_t i = 0; i < 5; ++i) {
    prompt[random.below(prompt.size())] = static_cast<int>(3 + random.below(21));
    const std::unique_ptr<GoldenModel> fresh = bench.make();
    const DecodeResult expected = Decoder(*fresh, {.max_tokens = 20}).run(prompt);
    EXPECT_EQ(kept.run(prompt).tokens, expected.tokens) << "prompt " << i;
  }
}

// The jobs of one forward: their number and MACs follow from the sizes of the model.
TEST(GoldenModel, DeviceDoesAllMatrixProducts) {
  Bench bench(WeightFormat::kQ8);
  const ModelConfig config = small_config();
  bench.model->forward(std::vector<int>(8, 5), 0, true);
  const Counters counters = bench.device->counters();
  const size_t per_layer = config.hidden_size * (2 * config.query_size() + 2 * config.kv_size() +
                                                 3 * config.intermediate_size);
  EXPECT_EQ(counters.jobs, config.layers * (4 + 2 * config.kv_heads) + 1);
  EXPECT_EQ(counters.macs[static_cast<size_t>(Stream::kQ8)], 8 * config.layers * per_layer);
  const size_t attention = config.layers * config.query_size() * 8 * 8 * 2;
  EXPECT_EQ(counters.macs[static_cast<size_t>(Stream::kBf16)],
            attention + 8 * config.hidden_size * config.vocab_size);
  EXPECT_EQ(counters.kv_bytes[static_cast<size_t>(Stream::kBf16)],
            config.layers * 2 * config.kv_size() * 8 * sizeof(Bf16));
}

TEST(Evaluation, ScoreDoesNotDependOnTheThreads) {
  const TemporaryFolder folder;
  write_model_folder(folder.path(), small_config(), 1);
  Bench bench(WeightFormat::kQ8);
  std::string words = R"(["w0")";
  for (int i = 1; i < 24; ++i) words += fmt::format(R"(,"w{}")", i);
  const Vocabulary vocabulary = Vocabulary::parse(words + "]", "v");
  std::vector<EvalQuery> queries = read_eval_task(folder / "eval", "one");
  // Right answers are what the model says; every second query keeps a wrong one.
  const DecodeOptions options{.max_tokens = 30};
  size_t right = 0;
  for (size_t i = 0; i < queries.size(); i += 2) {
    const std::unique_ptr<GoldenModel> model = bench.make();
    const DecodeResult result = Decoder(*model, options).run(vocabulary.encode(queries[i].prompt));
    queries[i].answer = vocabulary.decode(result.tokens);
    right += result.ended ? 1 : 0;
  }
  const MakeModel make = [&] {
    const auto device = std::make_shared<GoldenDevice>();
    return std::make_unique<GoldenModel>(bench.golden_weights, device, device, kMaxAlignWidth);
  };
  const Score one = evaluate(queries, vocabulary, make, options, 1);
  const Score three = evaluate(queries, vocabulary, make, options, 3);
  EXPECT_EQ(one.n, 6U);
  EXPECT_EQ(one.hits, right);
  EXPECT_EQ(three.hits, one.hits);
  EXPECT_EQ(three.forwards, one.forwards);
  EXPECT_EQ(three.blocks, one.blocks);
  queries[3].prompt = "w5 nonsense";
  EXPECT_ANY_THROW(evaluate(queries, vocabulary, make, options, 2));
}

// Closed-form values: the interval solves (p - share)^2 = z^2 p (1 - p) / n.
TEST(Evaluation, WilsonInterval) {
  constexpr double kZ = 1.959964;
  for (const auto& [hits, n] : {std::pair<size_t, size_t>{0, 10}, {10, 10}, {486, 500}, {1, 3}}) {
    const Interval interval = wilson(hits, n);
    const double share = static_cast<double>(hits) / static_cast<double>(n);
    for (const double p : {interval.low, interval.high}) {
      if (p == 0 || p == 1) continue;
      EXPECT_NEAR((p - share) * (p - share), kZ * kZ * p * (1 - p) / static_cast<double>(n), 1e-9);
    }
    EXPECT_LE(interval.low, share + 1e-12);
    EXPECT_GE(interval.high, share - 1e-12);
  }
  EXPECT_NEAR(wilson(0, 10).high, 0.2775, 1e-4);
  EXPECT_EQ(wilson(0, 0).high, 1.0);
}

}  // namespace
}  // namespace rivulet
