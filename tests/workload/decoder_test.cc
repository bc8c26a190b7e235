// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The decode loop on a model whose predictions are scripted and whose calls are recorded.

#include "sw_model/workload/decoder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sw_model/workload/input_error.h"
#include "tb/random.h"
#include "tests/numerics/compared.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

constexpr int kMask = 1;
constexpr int kEos = 2;

struct Call {
  size_t prefix;
  size_t begin;
  std::vector<int> tokens;
  bool predict;
};

// Predicts script[position] with probability certain[position] (default 0.5 and 0.95).
class ScriptedModel : public LanguageModel {
 public:
  const ModelConfig& config() const override { return config_; }
  size_t prefix_length() const override { return prefix_; }
  void rewind(size_t length) override {
    ASSERT_LE(length, prefix_);
    prefix_ = length;
    rewinds.push_back(length);
  }
  std::vector<Prediction> forward(std::span<const int> tokens, size_t begin,
                                  bool predict) override {
    calls.push_back({prefix_, begin, {tokens.begin(), tokens.end()}, predict});
    std::vector<Prediction> predictions;
    for (size_t i = 0; predict && i < tokens.size(); ++i) {
      const size_t position = prefix_ + begin + i;
      predictions.push_back({script.contains(position) ? script[position] : kEos,
                             probability.contains(position) ? probability[position] : 0.5F});
    }
    return predictions;
  }
  void commit() override { prefix_ += config_.block_size; }

  std::map<size_t, int> script;
  std::map<size_t, float> probability;
  std::vector<Call> calls;
  std::vector<size_t> rewinds;

 private:
  ModelConfig config_ = small_config();
  size_t prefix_ = 0;
};

std::vector<int> ramp(size_t size, int first = 3) {
  std::vector<int> tokens(size);
  for (size_t i = 0; i < size; ++i) tokens[i] = first + static_cast<int>(i % 20);
  return tokens;
}

TEST(Decoder, PrefillRunsWholeBlocksAndKeepsTheRest) {
  ScriptedModel model;
  model.script = {{19, 7}, {20, kEos}};
  const std::vector<int> prompt = ramp(19);
  const DecodeResult result = Decoder(model, {}).run(prompt);
  EXPECT_EQ(result.tokens, std::vector<int>{7});
  EXPECT_TRUE(result.ended);
  EXPECT_EQ(result.counts.prefill_forwards, 2U);
  ASSERT_GE(model.calls.size(), 3U);
  EXPECT_FALSE(model.calls[0].predict);
  EXPECT_EQ(model.calls[1].tokens, std::vector<int>(prompt.begin() + 8, prompt.begin() + 16));
  std::vector<int> opened(prompt.begin() + 16, prompt.end());
  opened.resize(8, kMask);
  EXPECT_EQ(model.calls[2].tokens, opened);
  EXPECT_TRUE(model.calls[2].predict);
}

TEST(Decoder, OneTokenPerForwardWhenNothingExceedsTheThreshold) {
  ScriptedModel model;
  for (size_t i = 3; i < 12; ++i) model.script[i] = 10;
  model.script[12] = kEos;
  const DecodeResult result = Decoder(model, {.threshold = 1.1}).run(ramp(3));
  EXPECT_EQ(result.tokens, std::vector<int>(9, 10));
  // Five masks of the first block; the second one ends with token 12, the first of its sub-block.
  EXPECT_EQ(result.counts.block_forwards, 5U + 4U + 1U);
  EXPECT_EQ(result.counts.completion_forwards, 1U);
  EXPECT_EQ(result.counts.blocks, 2U);
}

TEST(Decoder, EverythingAboveTheThresholdAndOnlyThat) {
  ScriptedModel model;
  model.script = {{1, 11}, {2, 12}, {3, 13}, {4, kEos}};
  model.probability = {{1, 0.91F}, {2, 0.9F}, {3, 0.95F}};
  Decoder(model, {.threshold = 0.9}).run(ramp(1));
  ASSERT_GE(model.calls.size(), 2U);
  // 0.9F is not above the threshold 0.9.
  EXPECT_EQ(model.calls[1].tokens,
            (std::vector<int>{3, 11, kMask, 13, kMask, kMask, kMask, kMask}));
}

TEST(Decoder, TiesGoToTheLowestPosition) {
  ScriptedModel model;
  model.script = {{1, 11}, {2, 12}, {3, 13}, {4, kEos}};
  Decoder(model, {}).run(ramp(1));
  EXPECT_EQ(model.calls[1].tokens[1], 11);
  EXPECT_EQ(model.calls[1].tokens[2], kMask);
}

TEST(Decoder, CompletionRunsTheFinishedBlock) {
  ScriptedModel model;
  for (size_t i = 8; i < 16; ++i) model.script[i] = 9;
  const DecodeResult result = Decoder(model, {}).run(ramp(8));
  EXPECT_EQ(result.tokens, std::vector<int>(8, 9));
  size_t completions = 0;
  for (const Call& call : model.calls) {
    if (call.prefix == 8 && !call.predict) {
      ++completions;
      EXPECT_EQ(call.tokens, std::vector<int>(8, 9));
    }
  }
  EXPECT_EQ(completions, 1U);
}

TEST(Decoder, SubBlockForwardsOnlyWithABlockCacheAndAKnownFirstPosition) {
  ScriptedModel model;
  for (size_t i = 0; i < 24; ++i) model.script[i] = 9;
  model.script[15] = kEos;
  model.probability[3] = 0.6F;  // position 3 of the first sub-block falls before position 1
  const DecodeResult result = Decoder(model, {.sub_block_cache = true}).run(ramp(1));
  ASSERT_EQ(result.tokens.size(), 14U);
  EXPECT_GT(result.counts.sub_block_forwards, 0U);
  bool cached = false;
  for (const Call& call : model.calls) {
    if (!call.predict) {
      cached = false;  // a new block follows
      continue;
    }
    const bool whole = call.tokens.size() == 8;
    if (!whole) {
      EXPECT_TRUE(cached);
      EXPECT_EQ(call.tokens.size(), 4U);
      EXPECT_EQ(call.begin % 4, 0U);
      EXPECT_NE(call.tokens[0], kMask);
    }
    cached = true;
  }
  // 3 + 4 masks in block 0: entry, two short; one whole for the unknown first position, three
  // short.
  EXPECT_EQ(model.calls[0].tokens.size(), 8U);
  EXPECT_EQ(model.calls[1].tokens.size(), 4U);
  EXPECT_EQ(model.calls[2].tokens.size(), 4U);
  EXPECT_EQ(model.calls[3].tokens.size(), 8U);
}

TEST(Decoder, StopsAtTheEos) {
  ScriptedModel model;
  model.script = {{1, 11}, {2, kEos}, {3, 12}};
  const DecodeResult result = Decoder(model, {}).run(ramp(1));
  EXPECT_EQ(result.tokens, std::vector<int>{11});
  EXPECT_EQ(result.counts.block_forwards, 2U);  // position 3 is never asked for
  EXPECT_EQ(result.counts.completion_forwards, 0U);
}

TEST(Decoder, TokenLimitCutsTheAnswer) {
  ScriptedModel model;
  for (size_t i = 0; i < 64; ++i) model.script[i] = 9;
  const DecodeResult result = Decoder(model, {.max_tokens = 10}).run(ramp(3));
  EXPECT_EQ(result.tokens.size(), 10U);
  EXPECT_FALSE(result.ended);
  EXPECT_EQ(result.counts.blocks, 2U);
}

TEST(Decoder, LastBlockOfTheModelEndsTheAnswer) {
  ScriptedModel model;
  for (size_t i = 0; i < 80; ++i) model.script[i] = 9;
  const DecodeResult result = Decoder(model, {.max_tokens = 1000}).run(ramp(45));
  EXPECT_EQ(result.tokens.size(), 64U - 45U);
  EXPECT_FALSE(result.ended);
}

TEST(Decoder, CommonBlocksOfTwoPromptsRunOnce) {
  ScriptedModel model;
  Decoder decoder(model, {});
  std::vector<int> prompt = ramp(30);
  EXPECT_EQ(decoder.run(prompt).counts.prefill_forwards, 3U);
  prompt[20] = 22;  // in the third block
  EXPECT_EQ(decoder.run(prompt).counts.prefill_forwards, 1U);
  EXPECT_EQ(model.rewinds.back(), 16U);
  EXPECT_EQ(
      decoder.run(std::vector<int>(prompt.begin(), prompt.begin() + 9)).counts.prefill_forwards,
      0U);
  prompt[0] = 21;
  EXPECT_EQ(decoder.run(prompt).counts.prefill_forwards, 3U);
}

TEST(Decoder, WrongInputsAreRefused) {
  ScriptedModel model;
  EXPECT_THROW(Decoder(model, {.threshold = -1}), InputError);
  EXPECT_THROW(Decoder(model, {.threshold = NAN}), InputError);
  EXPECT_THROW(Decoder(model, {.max_tokens = 0}), InputError);
  EXPECT_THROW(Decoder(model, {}).run({}), InputError);
  EXPECT_THROW(Decoder(model, {}).run(ramp(64)), InputError);
  EXPECT_NO_THROW(Decoder(model, {}).run(ramp(63)));
  model.probability[2] = NAN;
  EXPECT_THROW(Decoder(model, {}).run(ramp(2)), std::runtime_error);
}

// Random scripts: what is streamed is the answer, every position is decided once and stays, and the
// number of forwards lies between its bounds.
TEST(Decoder, PropertiesOnRandomScripts) {
  constexpr size_t kTries = 500;
  const uint64_t seed = test_seed();
  Random random(seed);
  Compared compared("decode properties", seed);
  for (size_t i = 0; i < kTries; ++i) {
    ScriptedModel model;
    for (size_t p = 0; p < 64; ++p) {
      model.script[p] = random.chance(0.03) ? kEos : static_cast<int>(3 + random.below(20));
      model.probability[p] = static_cast<float>(random.unit());
    }
    const std::vector<int> prompt = ramp(1 + random.below(40));
    const DecodeOptions options{.threshold = random.unit() * 1.2,
                                .max_tokens = 1 + random.below(30),
                                .sub_block_cache = random.chance(0.5)};
    std::vector<int> streamed;
    size_t reported = 0;
    const DecodeResult result =
        Decoder(model, options,
                {.on_text =
                     [&](std::span<const int> tokens) {
                       streamed.insert(streamed.end(), tokens.begin(), tokens.end());
                     },
                 .on_forward = [&](const DecodeCounts&) { ++reported; }})
            .run(prompt);
    const auto what = [&] { return fmt::format("try {}", i); };
    compared.holds(streamed == result.tokens, what);
    compared.holds(reported == result.counts.forwards() && reported == model.calls.size(), what);
    bool scripted = result.tokens.size() <= options.max_tokens;
    for (size_t t = 0; t < result.tokens.size(); ++t) {
      scripted = scripted && result.tokens[t] == model.script[prompt.size() + t];
    }
    compared.holds(scripted, what);
    const size_t predicted = result.counts.block_forwards + result.counts.sub_block_forwards;
    compared.holds(predicted >= result.counts.blocks && predicted <= 8 * result.counts.blocks,
                   what);
    compared.holds(result.counts.completion_forwards + 1 == result.counts.blocks, what);
  }
  compared.done(5 * kTries);
}

}  // namespace
}  // namespace rivulet
