// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The golden device against the reference of the numerics library, and the checking pair: it must
// go red for any single wrong word.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "sw_model/numerics/fp32.h"
#include "sw_model/tile/checked_device.h"
#include "sw_model/tile/device_error.h"
#include "sw_model/tile/fast_gemm.h"
#include "sw_model/tile/golden_device.h"
#include "tb/random.h"
#include "tb/value_classes.h"
#include "tests/numerics/compared.h"

namespace rivulet {
namespace {

struct Operands {
  GemmShape shape;
  std::vector<Bf16> x, w, scale;
  std::vector<int8_t> codes;
};

class OperandSource {
 public:
  OperandSource(const std::string& domain, uint64_t seed)
      : random_(seed), values_(domain), codes_("q8_code") {}

  Operands draw(size_t m, size_t n, size_t k, size_t group, int align_w) {
    Operands operands;
    operands.shape = {.m = m, .n = n, .k = k, .group = group, .align_w = align_w};
    operands.x = values(m * k);
    operands.w = values(n * k);
    operands.scale = values(n * operands.shape.groups());
    operands.codes.resize(n * k);
    for (int8_t& code : operands.codes) code = codes_.code(random_);
    return operands;
  }

  Random& random() { return random_; }
  std::string never_drawn() const { return values_.never_drawn() + codes_.never_drawn(); }

 private:
  std::vector<Bf16> values(size_t count) {
    std::vector<Bf16> result(count);
    for (Bf16& value : result) value.bits = static_cast<uint16_t>(values_.draw(random_));
    return result;
  }

  Random random_;
  ValueClasses values_;
  ValueClasses codes_;
};

void compare_words(Compared& compared, const GemmResult& expected, const GemmResult& got,
                   const std::string& what) {
  ASSERT_EQ(got.acc.size(), expected.acc.size());
  ASSERT_EQ(got.y.size(), expected.y.size());
  for (size_t i = 0; i < expected.acc.size(); ++i) {
    const auto describe = [&] { return fmt::format("{}, word {}", what, i); };
    compared.equal(fp32_bits(expected.acc[i]), fp32_bits(got.acc[i]), describe);
    compared.equal(expected.y[i].bits, got.y[i].bits, describe);
  }
  compared.equal(expected.counts.special, got.counts.special, [&] { return what + ", special"; });
  compared.equal(expected.counts.saturated, got.counts.saturated,
                 [&] { return what + ", saturated"; });
}

// Value classes with and without NaN and Inf; small groups make long chains of roundings.
TEST(FastGemm, SameBitsAsTheReference) {
  constexpr size_t kTries = 400;
  const uint64_t seed = test_seed();
  Compared compared("fast matrix products", seed);
  uint64_t expected_count = 0;
  for (const char* domain : {"bf16_finite", "bf16"}) {
    OperandSource source(domain, seed);
    Random& random = source.random();
    for (size_t i = 0; i < kTries; ++i) {
      const size_t m = 1 + random.below(9), n = 1 + random.below(9), k = 1 + random.below(300);
      const size_t group = random.chance(0.3) ? 128 : 1 + random.below(40);
      const Operands o = source.draw(m, n, k, group, static_cast<int>(random.between(9, 16)));
      const std::string what = fmt::format("{} try {}", domain, i);
      compare_words(compared, gemm(o.shape, o.x, o.codes, o.scale),
                    fast_gemm(o.shape, o.x, o.codes, o.scale), what + " gemm");
      compare_words(compared, gemm_bf16(o.shape, o.x, o.w), fast_gemm_bf16(o.shape, o.x, o.w),
                    what + " gemm-bf16");
      expected_count += 2 * (2 * m * n + 2);
    }
    EXPECT_EQ(source.never_drawn(), "");
  }
  compared.done(expected_count);
}

// Every chain of four addends of these: ties, near ties and cancellations of one group each.
TEST(FastGemm, SameRoundingOnTies) {
  std::vector<Bf16> addends;
  for (const float magnitude : {0.0F, 1.0F, 0x1.02p0F, 0x1p-23F, 0x1p-24F, 0x1.02p-24F, 0x1.fep-25F,
                                0x1p-25F, 0x1p-60F, 0x1p-126F}) {
    addends.push_back(bf16_from_float(magnitude));
    addends.push_back(bf16_from_float(-magnitude));
  }
  const size_t count = addends.size();
  const GemmShape shape{
      .m = count * count * count * count, .n = 1, .k = 4, .group = 1, .align_w = 16};
  std::vector<Bf16> x;
  for (size_t row = 0; row < shape.m; ++row) {
    for (size_t rest = row, k = 0; k < 4; ++k, rest /= count) x.push_back(addends[rest % count]);
  }
  const std::vector<int8_t> codes(4, 1);
  const std::vector<Bf16> ones(4, Bf16{0x3F80});
  Compared compared("chains of ties");
  compare_words(compared, gemm(shape, x, codes, ones), fast_gemm(shape, x, codes, ones), "gemm");
  compare_words(compared, gemm_bf16(shape, x, ones), fast_gemm_bf16(shape, x, ones), "gemm-bf16");
  compared.done(2 * (2 * 160'000 + 2));
}

TEST(GoldenDevice, ReadsThroughTheViews) {
  OperandSource source("bf16_finite", test_seed());
  const Operands o = source.draw(3, 5, 70, 32, 16);
  GoldenDevice device;
  Compared compared("products through views", test_seed());
  for (const Kind kind : {Kind::kKv, Kind::kFfn}) {
    for (const Tier tier : {Tier::kQ8, Tier::kQ4, Tier::kQ2, Tier::kQ0}) {
      ReadRequest read;
      read.tier = tier;
      read.kind = kind;
      read.view = default_view(kind);
      std::vector<int8_t> delivered;
      for (const int8_t code : o.codes) delivered.push_back(view_code(code, tier, read.view));
      GemmResult expected = gemm(o.shape, o.x, delivered, o.scale);
      if (tier == Tier::kQ0) {
        expected = {.acc = std::vector<float>(15), .y = std::vector<Bf16>(15), .counts = {}};
      }
      compare_words(compared, expected, device.gemm(o.shape, o.x, o.codes, o.scale, read),
                    fmt::format("{}-bit", bits_per_code(tier)));
    }
  }
  compared.done(8 * 32);
  EXPECT_EQ(device.counters().jobs, 8U);
}

TEST(GoldenDevice, WrongOperandsAreRefused) {
  OperandSource source("bf16_finite", test_seed());
  const Operands o = source.draw(3, 5, 70, 32, 16);
  GoldenDevice device;
  const auto with = [&](const std::function<void(Operands&)>& change) {
    Operands changed = o;
    change(changed);
    EXPECT_THROW(device.gemm(changed.shape, changed.x, changed.codes, changed.scale, {}),
                 std::invalid_argument);
  };
  with([](Operands& c) { c.x.pop_back(); });
  with([](Operands& c) { c.codes.pop_back(); });
  with([](Operands& c) { c.scale.push_back({}); });
  with([](Operands& c) { c.shape.m = 0; });
  with([](Operands& c) { c.shape.group = 0; });
  with([](Operands& c) { c.shape.align_w = 17; });
  with([](Operands& c) { c.shape.align_w = 8; });
  ReadRequest read;
  read.view.shift = 6;
  EXPECT_THROW(device.gemm(o.shape, o.x, o.codes, o.scale, read), std::invalid_argument);
  EXPECT_EQ(device.counters().jobs, 0U);
}

// A golden device whose result is changed before it is returned.
class FaultyDevice : public GoldenDevice {
 public:
  explicit FaultyDevice(std::function<void(GemmResult&)> fault) : fault_(std::move(fault)) {}

  GemmResult gemm(const GemmShape& shape, std::span<const Bf16> x, std::span<const int8_t> codes,
                  std::span<const Bf16> scale, const ReadRequest& read) override {
    GemmResult result = GoldenDevice::gemm(shape, x, codes, scale, read);
    fault_(result);
    return result;
  }
  GemmResult gemm_bf16(const GemmShape& shape, std::span<const Bf16> x, std::span<const Bf16> w,
                       Kind kind) override {
    GemmResult result = GoldenDevice::gemm_bf16(shape, x, w, kind);
    fault_(result);
    return result;
  }

 private:
  std::function<void(GemmResult&)> fault_;
};

std::string difference_of(const Operands& o, const std::function<void(GemmResult&)>& fault) {
  CheckedDevice device(std::make_unique<FaultyDevice>(fault), std::make_unique<GoldenDevice>(),
                       "repeat me");
  std::string both;
  try {
    device.gemm(o.shape, o.x, o.codes, o.scale, {});
    return "";
  } catch (const Mismatch& mismatch) {
    both = mismatch.what();
  }
  try {
    device.gemm_bf16(o.shape, o.x, o.w, Kind::kFfn);
    return "";
  } catch (const Mismatch&) {
    return both;
  }
}

TEST(CheckedDevice, EveryFaultIsRed) {
  OperandSource source("bf16_finite", test_seed());
  const Operands o = source.draw(3, 5, 70, 32, 16);
  const auto flip = [](float value) { return fp32_from_bits(fp32_bits(value) ^ 1); };
  Compared compared("injected faults", test_seed());
  const auto red = [&](const std::string& expected, const std::function<void(GemmResult&)>& fault) {
    const std::string message = difference_of(o, fault);
    compared.holds(message.find(expected) != std::string::npos &&
                       message.find("repeat me") != std::string::npos,
                   [&] { return "expected " + expected + ", got " + message; });
  };
  for (size_t i = 0; i < 15; ++i) {
    const std::string place = fmt::format("[{},{}]", i / 5, i % 5);
    red("acc" + place, [&](GemmResult& r) { r.acc[i] = flip(r.acc[i]); });
    red("y" + place, [&](GemmResult& r) { r.y[i].bits ^= 0x8000; });
  }
  red("acc has 14 words", [](GemmResult& r) { r.acc.pop_back(); });
  red("y has 14 words", [](GemmResult& r) { r.y.pop_back(); });
  red("acc has 0 words", [](GemmResult& r) { r.acc.clear(); });
  red("special", [](GemmResult& r) { r.counts.special += 1; });
  red("saturated", [](GemmResult& r) { r.counts.saturated += 1; });
  compared.done(35);
}

TEST(CheckedDevice, CountsEveryWord) {
  OperandSource source("bf16", test_seed());
  CheckedDevice device(std::make_unique<GoldenDevice>(), std::make_unique<GoldenDevice>(), "");
  uint64_t words = 0;
  for (const size_t m : {1, 4, 7}) {
    const Operands o = source.draw(m, 5, 70, 32, 16);
    device.gemm(o.shape, o.x, o.codes, o.scale, {});
    device.gemm_bf16(o.shape, o.x, o.w, Kind::kKv);
    words += 2 * 2 * m * 5;
  }
  EXPECT_EQ(device.words_compared(), words);
  EXPECT_EQ(device.words_expected(), words);
}

}  // namespace
}  // namespace rivulet
