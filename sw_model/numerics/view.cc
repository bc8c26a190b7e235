// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/numerics/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace rivulet {
namespace {

void check_range(const char* name, int value, int low, int high) {
  if (value < low || value > high) {
    throw std::invalid_argument(
        fmt::format("view: {} is {}, must be {} to {}", name, value, low, high));
  }
}

}  // namespace

Tier tier_from_bits(int bits) {
  switch (bits) {
    case 0:
      return Tier::kQ0;
    case 2:
      return Tier::kQ2;
    case 4:
      return Tier::kQ4;
    case 8:
      return Tier::kQ8;
    default:
      throw std::invalid_argument(fmt::format("tier is {} bits, must be 8, 4, 2 or 0", bits));
  }
}

View default_view(Kind kind) {
  View view;
  view.rounding = kind == Kind::kKv ? Q4Rounding::kTruncate : Q4Rounding::kHalfUp;
  return view;
}

void check_view(const View& view) {
  check_range("clamp", view.clamp, 1, 128);
  check_range("shift", view.shift, 0, 5);
  check_range("theta_p", view.theta_p, -256, 255);
  check_range("theta_n", view.theta_n, -256, 255);
  if (view.theta_n >= view.theta_p) {
    throw std::invalid_argument(fmt::format(
        "view: theta_n is {}, must be below theta_p, which is {}", view.theta_n, view.theta_p));
  }
}

int8_t view_q4(int8_t code, const View& view) {
  const bool add_half = view.rounding == Q4Rounding::kHalfUp && view.shift >= 1;
  const int half = add_half ? 1 << (view.shift - 1) : 0;
  const int clamped = std::clamp<int>(code, -view.clamp, view.clamp);
  return static_cast<int8_t>(std::clamp((clamped + half) >> view.shift, -8, 7));
}

int8_t view_q2(int8_t code, const View& view) {
  if (code >= view.theta_p) return 1;
  if (code <= view.theta_n) return -1;
  return 0;
}

int8_t view_code(int8_t code, Tier tier, const View& view) {
  switch (tier) {
    case Tier::kQ8:
      return code;
    case Tier::kQ4:
      return view_q4(code, view);
    case Tier::kQ2:
      return view_q2(code, view);
    case Tier::kQ0:
      break;
  }
  return 0;
}

Thresholds thresholds_on_q4(const View& view, int t) {
  check_view(view);
  check_range("q2 threshold on q4 codes", t, 1, 8);
  Thresholds result;
  for (int code = 127; code >= -128; --code) {  // the q4 map is monotone: the last hit is the least
    if (view_q4(static_cast<int8_t>(code), view) >= t) result.theta_p = code;
  }
  for (int code = -128; code <= 127; ++code) {
    if (view_q4(static_cast<int8_t>(code), view) <= -t) result.theta_n = code;
  }
  return result;
}

}  // namespace rivulet
