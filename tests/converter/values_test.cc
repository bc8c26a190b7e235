// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Values: every stored code through every view, through the RTL.
//
// The expected codes are computed here, from the formulas of docs/numerics.md §9 in real
// arithmetic, and not taken from the numerics library.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/converter/converter_bench.h"
#include "tests/converter/converter_configs.h"

namespace rivulet {
namespace {

constexpr int kAllCodes = 256;

int expected_q4(int code, const View& view) {
  const double clamped = std::min(view.clamp, std::max(-view.clamp, code));
  const bool half_up = view.rounding == Q4Rounding::kHalfUp && view.shift > 0;
  const double floored = std::floor(clamped / std::exp2(view.shift) + (half_up ? 0.5 : 0.0));
  return static_cast<int>(std::min(7.0, std::max(-8.0, floored)));
}

template <typename Config>
class ConverterValues : public ConverterSuite<Config> {
 protected:
  void start(std::uint64_t seed) {
    bench_ = std::make_unique<ConverterBench<Config>>(seed, stalls());
  }

  // One request with all 256 codes, starting at another one each time, so that lanes change.
  template <typename Expected>
  void submit_all_codes(const ReadRequest& request, Expected&& expected) {
    std::vector<std::int8_t> stored(kAllCodes);
    std::vector<std::int8_t> delivered(kAllCodes);
    for (int i = 0; i < kAllCodes; ++i) {
      const int code = (i + first_) % kAllCodes - 128;
      stored[i] = static_cast<std::int8_t>(code);
      delivered[i] = static_cast<std::int8_t>(expected(code));
    }
    first_ = (first_ + 37) % kAllCodes;
    bench_->submit(request, stored, delivered);
    codes_ += kAllCodes;
  }
  // Runs what was submitted and checks that it was `requests` requests, all of them compared.
  void finish(std::uint64_t requests, Tier tier) {
    ASSERT_EQ(codes_, requests * kAllCodes);
    ASSERT_EQ(bench_->expected_beats(), requests * beat_count(kAllCodes, tier, Config::kLinkBits));
    bench_->run();
    EXPECT_TRUE(bench_->finish());
  }

 private:
  static typename ConverterBench<Config>::Stalls stalls() { return {}; }

  std::unique_ptr<ConverterBench<Config>> bench_;
  int first_ = 0;
  std::uint64_t codes_ = 0;
};
TYPED_TEST_SUITE(ConverterValues, ConverterConfigs, ConverterConfigName);

TYPED_TEST(ConverterValues, Q8IsTheStoredCode) {
  this->start(options().seeds(1).front());
  for (const Kind kind : {Kind::kKv, Kind::kFfn}) {
    for (const int clamp : {1, 128}) {
      for (int shift = 0; shift <= 5; ++shift) {
        const View view{Q4Rounding::kHalfUp, clamp, shift, 1, -1};
        this->submit_all_codes({Tier::kQ8, kind, view}, [](int code) { return code; });
      }
    }
  }
  this->finish(2 * 2 * 6, Tier::kQ8);
}

// Every kind, rounding, shift and clamp.
TYPED_TEST(ConverterValues, Q4EveryView) {
  this->start(options().seeds(1).front());
  for (const Kind kind : {Kind::kKv, Kind::kFfn}) {
    for (const Q4Rounding rounding : {Q4Rounding::kTruncate, Q4Rounding::kHalfUp}) {
      for (int shift = 0; shift <= 5; ++shift) {
        for (int clamp = 1; clamp <= 128; ++clamp) {
          const View view{rounding, clamp, shift, 24, -25};
          this->submit_all_codes({Tier::kQ4, kind, view},
                                 [&view](int code) { return expected_q4(code, view); });
        }
      }
    }
  }
  this->finish(2 * 2 * 6 * 128, Tier::kQ4);
}

// The ternary of the decoded q4 code, for every view around it, by two comparisons of the raw code.
TYPED_TEST(ConverterValues, Q2OnDecodedQ4) {
  this->start(options().seeds(1).front());
  for (const Kind kind : {Kind::kKv, Kind::kFfn}) {
    for (const Q4Rounding rounding : {Q4Rounding::kTruncate, Q4Rounding::kHalfUp}) {
      for (int shift = 0; shift <= 5; ++shift) {
        for (const int clamp : {1, 7, 8, 15, 31, 63, 64, 104, 105, 127, 128}) {
          for (int t = 1; t <= 8; ++t) {
            View view{rounding, clamp, shift, 128, -129};
            const Thresholds thresholds = thresholds_on_q4(view, t);
            view.theta_p = thresholds.theta_p;
            view.theta_n = thresholds.theta_n;
            this->submit_all_codes({Tier::kQ2, kind, view}, [&view, t](int code) {
              const int q4 = expected_q4(code, view);
              return q4 >= t ? 1 : q4 <= -t ? -1 : 0;
            });
          }
        }
      }
    }
  }
  this->finish(2 * 2 * 6 * 11 * 8, Tier::kQ2);
}

// Every 9-bit threshold on each side, never-values and crossed pairs included.
TYPED_TEST(ConverterValues, Q2EveryThreshold) {
  this->start(options().seeds(1).front());
  std::uint64_t requests = 0;
  const auto submit = [this, &requests](int theta_p, int theta_n) {
    const View view{Q4Rounding::kTruncate, 128, 4, theta_p, theta_n};
    this->submit_all_codes({Tier::kQ2, Kind::kKv, view}, [=](int code) {
      return code >= theta_p ? 1 : code <= theta_n ? -1 : 0;
    });
    ++requests;
  };
  for (int theta = -256; theta <= 255; ++theta) {
    submit(theta, kThetaNeverNegative);
    submit(kThetaNeverPositive, theta);
    submit(theta, -theta - 1);
    submit(theta, theta);
  }
  EXPECT_EQ(requests, 4U * 512);
  this->finish(requests, Tier::kQ2);
}

}  // namespace
}  // namespace rivulet
