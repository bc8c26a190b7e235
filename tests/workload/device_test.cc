// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The golden device against the reference of the numerics library, and the checking pair: it must
// go red for any single wrong word.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <tuple>

#include "sw_model/common/device_error.h"
#include "sw_model/numerics/fp32.h"
#include "sw_model/tile/checked_device.h"
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

// Columns and lanes at their own tiers, operands along the outputs: against the plain product of
// what is delivered, written out once more.
TEST(GoldenDevice, PartsAtTheirOwnTiers) {
  OperandSource source("bf16_finite", test_seed());
  const Operands o = source.draw(3, 9, 70, 32, 16);
  const auto [m, n, k] = std::tuple(o.shape.m, o.shape.n, o.shape.k);
  const auto turned = [n = n, k = k](const auto& values) {
    auto result = values;
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < k; ++j) result[j * n + i] = values[i * k + j];
    }
    return result;
  };
  const std::vector<int8_t> turned_codes = turned(o.codes);
  const std::vector<Bf16> turned_w = turned(o.w);
  const auto read = [](Tier tier) {
    return ReadRequest{.tier = tier, .view = default_view(Kind::kKv)};
  };
  const std::vector<ColumnSegment> segments{
      {2, read(Tier::kQ2)}, {3, read(Tier::kQ0)}, {1, read(Tier::kQ8)}, {3, read(Tier::kQ4)}};
  GoldenDevice device;
  Compared compared("products of parts", test_seed());

  std::vector<int8_t> delivered;
  std::vector<Bf16> scale = o.scale;
  for (size_t i = 0; i < n; ++i) {
    const Tier tier = i < 2 ? Tier::kQ2 : i < 5 ? Tier::kQ0 : i < 6 ? Tier::kQ8 : Tier::kQ4;
    for (size_t j = 0; j < k; ++j) {
      delivered.push_back(view_code(o.codes[i * k + j], tier, default_view(Kind::kKv)));
    }
    for (size_t g = 0; g < 3 && tier == Tier::kQ0; ++g) scale[i * 3 + g] = Bf16{};
  }
  const GemmResult expected = gemm(o.shape, o.x, delivered, scale);
  TileProduct product{.shape = o.shape, .x = o.x, .codes = o.codes, .scale = o.scale};
  product.segments = segments;
  compare_words(compared, expected, device.run(product), "segments");
  product.codes = turned_codes;
  product.transpose = true;
  compare_words(compared, expected, device.run(product), "segments along the outputs");
  EXPECT_EQ(device.counters().stored_bytes.weights, 2 * 6 * k);
  compare_words(compared, gemm_bf16(o.shape, o.x, o.w),
                device.run({.shape = o.shape, .x = o.x, .w = turned_w, .transpose = true}),
                "values along the outputs");

  // Two groups of gathered lanes.
  product.segments = {};
  product.lane_groups = {{{69, 3, 40}, 2, read(Tier::kQ4)}, {{0, 1}, 1, read(Tier::kQ2)}};
  std::vector<float> acc(m * n);
  for (const LaneGroup& group : product.lane_groups) {
    GemmShape part{.m = m, .n = n, .k = group.lanes.size(), .group = 32, .align_w = 16};
    std::vector<Bf16> x(m * part.k);
    for (size_t i = 0; i < x.size(); ++i) x[i] = o.x[i / part.k * k + group.lanes[i % part.k]];
    const AlignedMatrix lanes = align_matrix(x, m, part.k, 32, 16);
    AccumulateCounts counts;
    for (size_t i = 0; i < m * n; ++i) {
      std::vector<int8_t> unit;
      for (const size_t lane : group.lanes) {
        unit.push_back(view_code(o.codes[i % n * k + lane], group.read.tier, group.read.view));
      }
      acc[i] = accumulate(acc[i], group_partial(lanes.group_values(i / n, 0), unit.data(), part.k),
                          o.scale[i % n * 3 + group.scale], lanes.exponent(i / n, 0), 16, counts);
    }
  }
  const GemmResult gathered = device.run(product);
  for (size_t i = 0; i < m * n; ++i) {
    compared.equal(fp32_bits(acc[i]), fp32_bits(gathered.acc[i]),
                   [&] { return fmt::format("gathered lanes, word {}", i); });
  }
  compared.done(3 * (2 * m * n + 2) + m * n);
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
  const auto with_product = [&](const std::function<void(TileProduct&)>& change) {
    TileProduct product{.shape = o.shape, .x = o.x, .codes = o.codes, .scale = o.scale};
    change(product);
    EXPECT_THROW(device.run(product), std::invalid_argument);
  };
  with_product([](TileProduct& p) { p.segments = {{4, {}}}; });
  with_product([](TileProduct& p) { p.segments = {{5, {}}, {0, {}}}; });
  with_product([](TileProduct& p) { p.lane_groups = {{{1}, 0, {}}}; });
  const auto with_groups = [&](std::vector<LaneGroup> groups) {
    with_product([&](TileProduct& p) {
      p.transpose = true;
      p.lane_groups = std::move(groups);
    });
  };
  with_groups({{{}, 0, {}}});
  with_groups({{{70}, 0, {}}});
  with_groups({{{1, 2}, 0, {}}, {{3, 1}, 0, {}}});
  with_groups({{{1}, 3, {}}});
  with_groups({{{1}, 0, {.tier = Tier::kQ0}}});
  with_groups({{std::vector<size_t>(33), 0, {}}});
  std::vector<float> acc(14);
  std::vector<Bf16> y(15);
  EXPECT_THROW(
      device.submit({.product = {.shape = o.shape, .x = o.x, .w = o.w}, .acc = acc, .y = y}),
      std::invalid_argument);
  EXPECT_EQ(device.counters().jobs, 0U);
}

// A golden device whose results are changed when they are there.
class FaultyDevice : public GoldenDevice {
 public:
  using Fault = std::function<void(const TileJob&, Counters&)>;
  explicit FaultyDevice(Fault fault) : fault_(std::move(fault)) {}

  JobId submit(TileJob job) override {
    jobs_.push_back({.product = job.product, .acc = job.acc, .y = job.y});
    return GoldenDevice::submit(std::move(job));
  }
  void wait(JobId id) override {
    GoldenDevice::wait(id);
    fault_(jobs_[id], offset_);
  }
  Counters counters() const override {
    Counters counters = GoldenDevice::counters();
    counters += offset_;
    return counters;
  }

 private:
  Fault fault_;
  std::vector<TileJob> jobs_;
  Counters offset_;
};

std::string difference_of(const Operands& o, const FaultyDevice::Fault& fault) {
  const auto message_of = [&](const auto& run) -> std::string {
    CheckedDevice device(std::make_unique<FaultyDevice>(fault), std::make_unique<GoldenDevice>(),
                         "repeat me");
    try {
      run(device);
      return "";
    } catch (const Mismatch& mismatch) {
      return mismatch.what();
    }
  };
  const std::string codes =
      message_of([&](TileDevice& device) { device.gemm(o.shape, o.x, o.codes, o.scale, {}); });
  const std::string values =
      message_of([&](TileDevice& device) { device.gemm_bf16(o.shape, o.x, o.w, Kind::kFfn); });
  return values.empty() ? "" : codes;
}

TEST(CheckedDevice, EveryFaultIsRed) {
  OperandSource source("bf16_finite", test_seed());
  const Operands o = source.draw(3, 5, 70, 32, 16);
  const auto flip = [](float& value) { value = fp32_from_bits(fp32_bits(value) ^ 1); };
  Compared compared("injected faults", test_seed());
  const auto red = [&](const std::string& expected, const FaultyDevice::Fault& fault) {
    const std::string message = difference_of(o, fault);
    compared.holds(message.find(expected) != std::string::npos &&
                       message.find("repeat me") != std::string::npos,
                   [&] { return "expected " + expected + ", got " + message; });
  };
  for (size_t i = 0; i < 15; ++i) {
    const std::string place = fmt::format("[{},{}]", i / 5, i % 5);
    red("acc" + place, [&](const TileJob& job, Counters&) { flip(job.acc[i]); });
    red("y" + place, [&](const TileJob& job, Counters&) { job.y[i].bits ^= 0x8000; });
  }
  red("special", [](const TileJob&, Counters& offset) { offset.special += 1; });
  red("saturated", [](const TileJob&, Counters& offset) { offset.saturated += 1; });
  compared.done(32);
}

// A device that never writes its results.
class IdleDevice : public TileDevice {
 public:
  JobId submit(TileJob /*job*/) override { return jobs_++; }
  void wait(JobId /*id*/) override {}
  bool arrived(JobId, const Range&, const Range&) const override { return true; }
  Counters counters() const override { return {}; }

 private:
  JobId jobs_ = 0;
};

TEST(CheckedDevice, ResultsThatWereNotWrittenAreRed) {
  OperandSource source("bf16_finite", test_seed());
  const Operands o = source.draw(3, 5, 70, 32, 16);
  CheckedDevice device(std::make_unique<IdleDevice>(), std::make_unique<GoldenDevice>(), "");
  EXPECT_THROW(device.gemm(o.shape, o.x, o.codes, o.scale, {}), Mismatch);
}

// Jobs wait for their turn and for their operands, and are compared in order.
TEST(CheckedDevice, ComparesEveryJobBeforeTheOneThatIsWaitedFor) {
  OperandSource source("bf16_finite", test_seed());
  const Operands o = source.draw(3, 5, 70, 32, 16);
  CheckedDevice device(std::make_unique<GoldenDevice>(), std::make_unique<GoldenDevice>(), "");
  std::vector<GemmResult> results(
      3, {.acc = std::vector<float>(15), .y = std::vector<Bf16>(15), .counts = {}});
  std::vector<JobId> ids;
  std::vector<Bf16> x(o.x.size());
  for (GemmResult& result : results) {
    const bool first = ids.empty();
    const auto x_ready = [&, first](const Range& rows, size_t /*group*/) {
      EXPECT_EQ(rows, (Range{0, 3}));
      if (!first && !device.arrived(ids[0], {0, 3}, {0, 5})) return false;
      std::copy(o.x.begin(), o.x.end(), x.begin());
      return true;
    };
    ids.push_back(
        device.submit({.product = {.shape = o.shape, .x = x, .codes = o.codes, .scale = o.scale},
                       .acc = result.acc,
                       .y = result.y,
                       .x_ready = x_ready}));
  }
  EXPECT_EQ(device.words_expected(), 0U);
  device.wait(ids[1]);
  EXPECT_EQ(device.words_compared(), 2U * 2 * 15);
  EXPECT_TRUE(device.arrived(ids[1], {0, 3}, {0, 5}));
  EXPECT_FALSE(device.arrived(ids[2], {0, 1}, {0, 1}));
  device.wait(ids[2]);
  EXPECT_EQ(device.words_compared(), 3U * 2 * 15);
  const GemmResult expected = gemm(o.shape, o.x, o.codes, o.scale);
  for (const GemmResult& result : results) EXPECT_EQ(result.y, expected.y);
  EXPECT_THROW(device.wait(3), std::logic_error);
}

TEST(GoldenDevice, OperandsThatNeverComeAreAnError) {
  OperandSource source("bf16_finite", test_seed());
  const Operands o = source.draw(3, 5, 70, 32, 16);
  GoldenDevice device;
  GemmResult result{.acc = std::vector<float>(15), .y = std::vector<Bf16>(15), .counts = {}};
  const JobId id = device.submit({.product = {.shape = o.shape, .x = o.x, .w = o.w},
                                  .acc = result.acc,
                                  .y = result.y,
                                  .columns_ready = [](const Range&, size_t) { return false; }});
  EXPECT_THROW(device.wait(id), std::logic_error);
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
