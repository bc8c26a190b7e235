// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/numerics/vector_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "sw_model/numerics/fp32.h"
#include "sw_model/numerics/transcendental.h"

namespace rivulet {
namespace {

// The value that an operation sees, widened.
double read(Bf16 value) { return fp32_read(to_float(value)); }
double read(float value) { return fp32_read(value); }

// Numerators exp(s - max) and their sum; `defined` is false if the scores have no softmax (a NaN,
// +Inf, or only -Inf).
struct SoftmaxTerms {
  bool defined = false;
  size_t top = 0;  // lowest index of the maximum
  double sum = 0;
  std::vector<double> terms;
};

SoftmaxTerms softmax_terms(std::span<const float> scores) {
  if (scores.empty()) throw std::invalid_argument("softmax: no scores, needs at least 1");
  SoftmaxTerms result;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (fp32_is_nan(scores[i])) return result;
    if (read(scores[i]) > read(scores[result.top])) result.top = i;
  }
  const double largest = read(scores[result.top]);
  if (!std::isfinite(largest)) return result;
  result.defined = true;
  result.terms.reserve(scores.size());
  for (const float score : scores) {
    result.terms.push_back(exp_f64(read(score) - largest));
    result.sum += result.terms.back();
  }
  return result;
}

}  // namespace

Bf16 add_bias(float acc, Bf16 bias) { return bf16_from_float(fp32_add(acc, to_float(bias))); }

Bf16 residual_add(Bf16 hidden, Bf16 update) {
  // Two BF16 values that a binary64 cannot add exactly differ by more than 2^45, where the smaller
  // one cannot move the rounded sum.
  return bf16_from_double(read(hidden) + read(update) + 0.0);
}

Bf16 silu(Bf16 g) {
  const double value = read(g);
  if (std::isinf(value)) return value > 0 ? g : Bf16{0x8000};
  return bf16_from_double(value / (1 + exp_f64(-value)));
}

Bf16 gate(Bf16 activated, Bf16 up) { return bf16_from_double(read(activated) * read(up)); }

float scale_score(float acc, int head_dim) {
  if (head_dim < 1) {
    throw std::invalid_argument(fmt::format("scale_score: head_dim is {}, must be >= 1", head_dim));
  }
  return fp32_mul(acc, fp32_from_double(1 / std::sqrt(static_cast<double>(head_dim))));
}

void rmsnorm(std::span<const Bf16> x, std::span<const Bf16> weight, double eps, std::span<Bf16> y) {
  if (x.empty() || weight.size() != x.size() || y.size() != x.size()) {
    throw std::invalid_argument(
        fmt::format("rmsnorm: x, weight and y have {}, {} and {} elements, must be equal and >= 1",
                    x.size(), weight.size(), y.size()));
  }
  if (!(std::isfinite(eps) && eps >= 0)) {
    throw std::invalid_argument(fmt::format("rmsnorm: eps is {}, must be finite and >= 0", eps));
  }
  const auto is_special = [](Bf16 value) { return value.is_special(); };
  double squares = 0;
  for (const Bf16 value : x) squares += read(value) * read(value);
  const double mean = squares / static_cast<double>(x.size()) + eps;
  if (mean == 0 || std::any_of(x.begin(), x.end(), is_special) ||
      std::any_of(weight.begin(), weight.end(), is_special)) {
    std::fill(y.begin(), y.end(), kBf16CanonicalNan);
    return;
  }
  const double inverse = 1 / std::sqrt(mean);
  for (size_t i = 0; i < x.size(); ++i) {
    y[i] = bf16_from_double((read(x[i]) * inverse) * read(weight[i]));
  }
}

void softmax(std::span<const float> scores, std::span<Bf16> p) {
  if (p.size() != scores.size()) {
    throw std::invalid_argument(
        fmt::format("softmax: {} scores, but room for {} probabilities", scores.size(), p.size()));
  }
  const SoftmaxTerms terms = softmax_terms(scores);
  for (size_t i = 0; i < p.size(); ++i) {
    p[i] = terms.defined ? bf16_from_double(terms.terms[i] / terms.sum) : kBf16CanonicalNan;
  }
}

TopProbability top_probability(std::span<const float> scores) {
  const SoftmaxTerms terms = softmax_terms(scores);
  if (!terms.defined) return {.index = 0, .probability = kFp32CanonicalNan};
  return {.index = terms.top, .probability = fp32_from_double(1 / terms.sum)};
}

}  // namespace rivulet
