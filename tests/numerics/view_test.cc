// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §9, exhaustively, against the formulas on exact rationals and the two-stage map.

#include "sw_model/numerics/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tests/numerics/compared.h"
#include "tests/numerics/rational_oracle.h"

namespace rivulet {
namespace {

constexpr int kClamps = 128;
constexpr int kShifts = 6;

View make_view(Q4Rounding rounding, int clamp, int shift) {
  View view;
  view.rounding = rounding;
  view.clamp = clamp;
  view.shift = shift;
  return view;
}

// floor or round half up of v / 2^k, from rationals, for every |v| <= 128: an independent table.
class ShiftTable {
 public:
  ShiftTable() {
    for (int shift = 0; shift < kShifts; ++shift) {
      for (int value = -128; value <= 128; ++value) {
        const mpq_class quotient = mpq_class(value) * oracle::power_of_two(-shift);
        floor_.push_back(static_cast<int>(oracle::floor(quotient).get_si()));
        half_up_.push_back(static_cast<int>(oracle::round_half_up(quotient).get_si()));
      }
    }
  }
  int operator()(Q4Rounding rounding, int value, int shift) const {
    const size_t index = static_cast<size_t>(shift) * 257 + static_cast<size_t>(value + 128);
    return rounding == Q4Rounding::kTruncate ? floor_[index] : half_up_[index];
  }

 private:
  std::vector<int> floor_, half_up_;
};

int reference_q4(const ShiftTable& table, const View& view, int code) {
  const int clamped = std::min(std::max(code, -view.clamp), view.clamp);
  return std::min(std::max(table(view.rounding, clamped, view.shift), -8), 7);
}

template <typename Body>
void for_every_view(const Body& body) {
  for (const Q4Rounding rounding : {Q4Rounding::kTruncate, Q4Rounding::kHalfUp}) {
    for (int clamp = 1; clamp <= kClamps; ++clamp) {
      for (int shift = 0; shift < kShifts; ++shift) body(make_view(rounding, clamp, shift));
    }
  }
}

std::string text(const View& view, int code) {
  return fmt::format("code {}, {}, clamp {}, shift {}, theta {} {}", code,
                     view.rounding == Q4Rounding::kTruncate ? "trunc" : "rhu", view.clamp,
                     view.shift, view.theta_p, view.theta_n);
}

TEST(View, Q4OfEveryCodeClampShiftAndRounding) {
  const ShiftTable table;
  Compared compared("q4 views, exhaustive");
  Compared reference("q4 of KV by bit selection");
  for_every_view([&](const View& view) {
    for (int code = -128; code <= 127; ++code) {
      const int8_t q4 = view_q4(static_cast<int8_t>(code), view);
      const auto describe = [&] { return text(view, code); };
      compared.equal(reference_q4(table, view, code), int{q4}, describe);
      if (view.rounding == Q4Rounding::kTruncate && view.clamp == 128) {
        const int low = -8 * (1 << view.shift);
        const int high = 8 * (1 << view.shift) - 1;
        const int clamped = std::clamp(code, low, high);
        const int floor =
            (clamped - ((clamped % (1 << view.shift)) + (1 << view.shift)) % (1 << view.shift)) /
            (1 << view.shift);
        reference.equal(floor, int{q4}, describe);
      }
    }
  });
  compared.done(uint64_t{2} * kClamps * kShifts * 256);
  reference.done(uint64_t{kShifts} * 256);
}

// q2 from the raw code with the library's thresholds = q2 from the decoded q4 code, for every T;
// and for round half up the thresholds are those of the closed form.
TEST(View, Q2OnTheRawByteIsQ2OnTheDecodedQ4) {
  const ShiftTable table;
  Compared ternary("q2 views by two comparators, exhaustive");
  Compared closed("closed form of the thresholds");
  uint64_t never_positive = 0;
  uint64_t never_negative = 0;
  for_every_view([&](const View& q4_view) {
    for (int t = 1; t <= 8; ++t) {
      View view = q4_view;
      const Thresholds thresholds = thresholds_on_q4(q4_view, t);
      view.theta_p = thresholds.theta_p;
      view.theta_n = thresholds.theta_n;
      EXPECT_NO_THROW(check_view(view));
      never_positive += static_cast<uint64_t>(view.theta_p == 128);
      never_negative += static_cast<uint64_t>(view.theta_n == -129);
      for (int code = -128; code <= 127; ++code) {
        const int q4 = reference_q4(table, view, code);
        const int expected = q4 >= t ? 1 : (q4 <= -t ? -1 : 0);
        ternary.equal(expected, int{view_q2(static_cast<int8_t>(code), view)},
                      [&] { return fmt::format("{}, T {}", text(view, code), t); });
      }
      if (view.rounding == Q4Rounding::kHalfUp) {
        const int h = view.shift >= 1 ? 1 << (view.shift - 1) : 0;
        const int p = t * (1 << view.shift) - h;
        const int n = -t * (1 << view.shift) + h - (view.shift >= 1 ? 1 : 0);
        const auto describe = [&] { return fmt::format("{}, T {}", text(view, 0), t); };
        closed.equal(t <= 7 && view.clamp >= p && p <= 127 ? p : 128, view.theta_p, describe);
        closed.equal(view.clamp >= -n && n >= -128 ? n : -129, view.theta_n, describe);
      }
    }
  });
  EXPECT_GT(never_positive, 0U);
  EXPECT_GT(never_negative, 0U);
  ternary.done(uint64_t{2} * kClamps * kShifts * 8 * 256);
  closed.done(uint64_t{kClamps} * kShifts * 8 * 2);
}

// All 9-bit thresholds, legal or not: +1 wins where both comparisons hold.
TEST(View, Q2OfEveryCodeAndThreshold) {
  Compared compared("q2 views, every threshold");
  uint64_t minus_two = 0;
  View view;
  for (view.theta_p = -256; view.theta_p <= 255; ++view.theta_p) {
    for (view.theta_n = -256; view.theta_n <= 255; ++view.theta_n) {
      for (int code = -128; code <= 127; ++code) {
        const int8_t q2 = view_q2(static_cast<int8_t>(code), view);
        const int expected = code >= view.theta_p ? 1 : -static_cast<int>(code <= view.theta_n);
        compared.equal(expected, int{q2}, [&] { return text(view, code); });
        minus_two += static_cast<uint64_t>(q2 == -2);
      }
    }
  }
  EXPECT_EQ(minus_two, 0U) << "the q2 code 10 was emitted";
  compared.done(uint64_t{512} * 512 * 256);
}

TEST(View, TiersOfEveryCode) {
  Compared compared("delivered codes by tier");
  for (const Kind kind : {Kind::kKv, Kind::kFfn}) {
    const View view = default_view(kind);
    for (int code = -128; code <= 127; ++code) {
      const auto z = static_cast<int8_t>(code);
      const auto describe = [&] { return text(view, code); };
      compared.equal(code, int{view_code(z, Tier::kQ8, view)}, describe);
      compared.equal(int{view_q4(z, view)}, int{view_code(z, Tier::kQ4, view)}, describe);
      compared.equal(int{view_q2(z, view)}, int{view_code(z, Tier::kQ2, view)}, describe);
      compared.equal(0, int{view_code(z, Tier::kQ0, view)}, describe);
    }
  }
  compared.done(2 * 256 * 4);
}

TEST(View, DefaultsAndTags) {
  const View kv = default_view(Kind::kKv);
  const View ffn = default_view(Kind::kFfn);
  EXPECT_EQ(kv.rounding, Q4Rounding::kTruncate);
  EXPECT_EQ(ffn.rounding, Q4Rounding::kHalfUp);
  for (const View& view : {kv, ffn}) {
    EXPECT_EQ(view.clamp, 128);
    EXPECT_EQ(view.shift, 4);
    EXPECT_EQ(view.theta_p, 24);
    EXPECT_EQ(view.theta_n, -25);
  }
  EXPECT_EQ(thresholds_on_q4(ffn, 2), (Thresholds{.theta_p = 24, .theta_n = -25}));
  for (const Tier tier : {Tier::kQ0, Tier::kQ2, Tier::kQ4, Tier::kQ8}) {
    EXPECT_EQ(tier_from_bits(bits_per_code(tier)), tier);
  }
  EXPECT_EQ(bits_per_code(Tier::kQ0), 0);
  EXPECT_EQ(bits_per_code(Tier::kQ8), 8);
}

TEST(View, RefusesWrongParameters) {
  const auto refused = [](auto change) {
    View view;
    change(view);
    EXPECT_THROW(check_view(view), std::invalid_argument);
  };
  refused([](View& view) { view.clamp = 0; });
  refused([](View& view) { view.clamp = 129; });
  refused([](View& view) { view.shift = -1; });
  refused([](View& view) { view.shift = 6; });
  refused([](View& view) { view.theta_p = 256; });
  refused([](View& view) { view.theta_n = -257; });
  refused([](View& view) { view.theta_n = view.theta_p; });
  EXPECT_THROW(tier_from_bits(3), std::invalid_argument);
  EXPECT_THROW(thresholds_on_q4(View{}, 0), std::invalid_argument);
  EXPECT_THROW(thresholds_on_q4(View{}, 9), std::invalid_argument);
}

}  // namespace
}  // namespace rivulet
