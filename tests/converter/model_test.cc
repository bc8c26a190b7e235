// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The C++ models alone: what they refuse, and that the cycle model ends its requests as the
// functional model says. Also the parameters of the verilated models and the saturation of the
// counters.

#include "sw_model/converter/convert.h"
#include "sw_model/numerics/pack.h"
#include "tb/random.h"
#include "tests/converter/converter_bench.h"
#include "tests/converter/converter_configs.h"

namespace rivulet {
namespace {

TEST(ConverterModel, RefusesWhatIsOutOfRange) {
  const std::vector<std::int8_t> codes(3);
  ReadRequest request{Tier::kQ4, Kind::kKv, View{}, 3};
  EXPECT_NO_THROW(convert(codes, request, 64));
  EXPECT_THROW(convert(codes, request, 96), std::invalid_argument);
  EXPECT_THROW(convert(codes, request, 0), std::invalid_argument);
  request.codes = 4;
  EXPECT_THROW(convert(codes, request, 64), std::invalid_argument);
  request.codes = 3;
  request.view.shift = 6;
  EXPECT_THROW(convert(codes, request, 64), std::invalid_argument);
  EXPECT_THROW(ConverterCycle(100), std::invalid_argument);
}

// Always ready, words always there: the beats of the cycle model are those of the functional model.
TEST(ConverterModel, CycleModelDeliversTheFunctionalBeats) {
  Random random(options().seeds(1).front());
  std::uint64_t compared = 0;
  std::uint64_t expected = 0;
  for (const int link_bits : {64, 128, 192, 512}) {
    const std::size_t word_codes = static_cast<std::size_t>(link_bits) / 2;
    ConverterCycle model(link_bits);
    for (int i = 0; i < 200; ++i) {
      const auto tier = static_cast<Tier>(random.below(4));
      std::vector<std::int8_t> codes(random.below(3 * word_codes));
      for (auto& code : codes) code = static_cast<std::int8_t>(random.between(-128, 127));
      const ReadRequest request{tier, Kind::kFfn, View{}, static_cast<std::uint32_t>(codes.size())};
      const Converted want = convert(codes, request, link_bits);
      expected += want.beats.size();

      std::vector<std::int8_t> stored = codes;
      stored.resize((codes.size() + word_codes - 1) / word_codes * word_codes);
      std::size_t position = 0;
      std::vector<std::uint64_t> got;
      ConverterInputs in{
          .req_valid = true, .req = request, .word_valid = false, .word = {}, .beat_ready = true};
      for (std::size_t cycle = 0; cycle < 4 + 4 * codes.size() / word_codes + 4; ++cycle) {
        in.word_valid = position < stored.size() && request.tier != Tier::kQ0;
        if (in.word_valid) in.word = std::span(stored).subspan(position, word_codes);
        const ConverterOutputs out = model.step(in);
        EXPECT_TRUE(out.req_ready || !in.req_valid);
        in.req_valid = false;
        if (in.word_valid && out.word_ready) position += word_codes;
        if (out.beat_valid) got.insert(got.end(), out.beat.begin(), out.beat.end());
      }
      ASSERT_EQ(got, want.beats);
      compared += got.size();
    }
  }
  EXPECT_EQ(compared, expected);
  EXPECT_GT(compared, 5'000U);
}

template <typename Config>
class ConverterParameters : public ConverterSuite<Config> {};
TYPED_TEST_SUITE(ConverterParameters, ConverterConfigs, ConverterConfigName);

// What the model was built with is what its ports show.
TYPED_TEST(ConverterParameters, MatchThePorts) {
  using Top = typename TypeParam::Top;
  EXPECT_EQ(8 * sizeof(Top::beat_o), static_cast<std::size_t>(TypeParam::kLinkBits));
  EXPECT_EQ(8 * sizeof(Top::word_i), static_cast<std::size_t>(4 * TypeParam::kLinkBits));
}

// One request without words, again and again.
class RepeatedRequest final : public BlockTraffic<ConverterBlock> {
 public:
  RepeatedRequest(const ReadRequest& request, uint64_t count) : request_(request), left_(count) {}

  bool offer(size_t input, ConverterInputs& inputs) override {
    if (input != ConverterBlock::kRequest || left_ == 0) return false;
    inputs.req = request_;
    return true;
  }
  void accepted(size_t /*input*/) override { --left_; }
  void arrived(size_t /*output*/, const ConverterOutputs& /*outputs*/) override {
    throw Mismatch("a beat that nobody asked for");
  }
  bool done() const override { return left_ == 0; }

 private:
  ReadRequest request_;
  uint64_t left_;
};

// A counter stops before it could wrap; RTL and cycle model agree on where.
TEST(ConverterCounters, StopBeforeTheyWrap) {
  using Config = ConverterConfig<Vconverter_link64, Vconverter_link64Params>;
  if (!options().selects_config(Config::name())) GTEST_SKIP() << "not " << options().config;
  constexpr std::uint32_t kMost = 0xffff'ffff;
  constexpr std::uint64_t kStop = std::uint64_t{0xffff} << 32;
  constexpr uint64_t kRequests = 65'536 + 10;
  const uint64_t seed = options().seeds(1).front();
  BlockBench<ConverterBlock> bench("counters", verilated<ConverterBlock, Config::Top>(),
                                   std::make_unique<ConverterCycle>(64),
                                   BlockBench<ConverterBlock>::Stalls{}, seed);
  RepeatedRequest traffic({.tier = Tier::kQ0, .codes = kMost}, kRequests);
  bench.run(traffic);
  const std::uint64_t last = bench.counters().codes[0];
  EXPECT_GE(last, kStop);
  EXPECT_LT(last, kStop + kMost);
  EXPECT_TRUE(bench.finish());
}

}  // namespace
}  // namespace rivulet
