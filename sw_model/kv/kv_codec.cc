// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/kv/kv_codec.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rivulet {

namespace {

constexpr float kMostCode = 127;

// c * U^T at one lane: both products are exact in FP32, their sum is rounded once.
float base(const std::array<Bf16, 2>& c, std::span<const Bf16> u, size_t lane) {
  return to_float(c[0]) * to_float(u[2 * lane]) + to_float(c[1]) * to_float(u[2 * lane + 1]);
}

void check_sizes(size_t d, size_t u, size_t codes) {
  if (d == 0 || u != 2 * d || codes != d) {
    throw std::invalid_argument("KV codec: x and codes are [d], u is [d,2], d at least 1");
  }
}

// The factor of the delivered integer, and that integer.
float step(const KvSide& side, Tier tier, const KvViews& views) {
  const float sigma = to_float(side.sigma);
  switch (tier) {
    case Tier::kQ8:
      return sigma;
    case Tier::kQ4:
      return std::ldexp(sigma, views.view.shift - 1);
    case Tier::kQ2:
      return to_float(bf16_from_float(sigma * to_float(views.a2)));
    case Tier::kQ0:
      break;
  }
  return 0;
}

float delivered(int8_t code, Tier tier, const View& view) {
  const float z = view_code(code, tier, view);
  return tier == Tier::kQ4 ? 2 * z + 1 : z;
}

}  // namespace

KvSide kv_encode(std::span<const Bf16> x, std::span<const Bf16> u, std::span<int8_t> codes) {
  check_sizes(x.size(), u.size(), codes.size());
  const auto special = [](Bf16 value) { return value.is_special(); };
  if (std::any_of(x.begin(), x.end(), special) || std::any_of(u.begin(), u.end(), special)) {
    throw std::invalid_argument("KV codec: an entry or the basis holds NaN or Inf");
  }
  KvSide side;
  for (size_t j = 0; j < 2; ++j) {
    float sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += to_float(x[i]) * to_float(u[2 * i + j]);
    side.c[j] = bf16_from_float(sum);
    if (side.c[j].is_special()) throw std::invalid_argument("KV codec: a coefficient overflows");
  }
  float most = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    most = std::max(most, std::abs(to_float(x[i]) - base(side.c, u, i)));
  }
  side.sigma = bf16_from_float(most / kMostCode);
  if (side.sigma.is_special()) throw std::invalid_argument("KV codec: the scale overflows");
  const float sigma = to_float(side.sigma);
  for (size_t i = 0; i < x.size(); ++i) {
    const float quotient = sigma == 0 ? 0 : (to_float(x[i]) - base(side.c, u, i)) / sigma;
    codes[i] = static_cast<int8_t>(std::clamp(std::nearbyint(quotient), -kMostCode, kMostCode));
  }
  return side;
}

void kv_decode(std::span<const int8_t> codes, const KvSide& side, std::span<const Bf16> u,
               Tier tier, const KvViews& views, std::span<Bf16> x) {
  check_sizes(x.size(), u.size(), codes.size());
  const float factor = step(side, tier, views);
  for (size_t i = 0; i < x.size(); ++i) {
    const float code = delivered(codes[i], tier, views.view);
    x[i] = bf16_from_float(base(side.c, u, i) + factor * code);
  }
}

Bf16 fit_q2_amplitude(std::span<const int8_t> codes, std::span<const KvSide> sides,
                      const View& view) {
  if (sides.empty() || codes.size() % sides.size() != 0) {
    throw std::invalid_argument("KV codec: codes are [n,d], one scale an entry");
  }
  const size_t d = codes.size() / sides.size();
  double product = 0, square = 0;
  for (size_t i = 0; i < codes.size(); ++i) {
    const double sigma = static_cast<double>(to_float(sides[i / d].sigma));
    const double t = view_q2(codes[i], view);
    product += sigma * sigma * t * codes[i];
    square += sigma * sigma * t * t;
  }
  return square == 0 ? Bf16{} : bf16_from_double(product / square);
}

}  // namespace rivulet
