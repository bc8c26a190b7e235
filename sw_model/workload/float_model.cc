// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/float_model.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rivulet {

namespace {

float dot(const float* a, const float* b, size_t size) {
  constexpr size_t kLanes = 8;
  std::array<float, kLanes> sums{};
  size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  float sum = 0;
  for (const float part : sums) sum += part;
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

// x [rows, columns of w] times the transpose of w, plus bias where there is one.
std::vector<float> linear(const Matrix& w, const std::vector<float>& x,
                          const std::vector<float>& bias = {}) {
  const size_t rows = x.size() / w.columns;
  std::vector<float> y(rows * w.rows);
  for (size_t m = 0; m < rows; ++m) {
    for (size_t n = 0; n < w.rows; ++n) {
      y[m * w.rows + n] = dot(&x[m * w.columns], &w.values[n * w.columns], w.columns) +
                          (bias.empty() ? 0.0F : bias[n]);
    }
  }
  return y;
}

std::vector<float> normed(const std::vector<float>& x, const std::vector<float>& weight,
                          double eps) {
  const size_t width = weight.size();
  std::vector<float> y(x.size());
  for (size_t begin = 0; begin < x.size(); begin += width) {
    const double mean = dot(&x[begin], &x[begin], width) / static_cast<double>(width);
    const auto factor = static_cast<float>(1 / std::sqrt(mean + eps));
    for (size_t i = 0; i < width; ++i) y[begin + i] = x[begin + i] * factor * weight[i];
  }
  return y;
}

void add(std::vector<float>& sum, const std::vector<float>& update) {
  std::transform(sum.begin(), sum.end(), update.begin(), sum.begin(), std::plus<>());
}

// Replaces scores by their softmax.
void softmax_in_place(std::span<float> scores) {
  const float largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (float& score : scores) sum += score = std::exp(score - largest);
  for (float& score : scores) score = static_cast<float>(score / sum);
}

}  // namespace

FloatModel::FloatModel(const ModelConfig& config, std::shared_ptr<const ModelWeights> weights)
    : config_(config), weights_(std::move(weights)), cache_(config) {
  const auto d = static_cast<double>(config.head_dim);
  for (size_t j = 0; j < config.head_dim / 2; ++j) {
    rope_rates_.push_back(std::pow(config.rope_theta, -2.0 * static_cast<double>(j) / d));
  }
}

void FloatModel::rotate(std::span<float> head, size_t position) const {
  const size_t half = rope_rates_.size();
  for (size_t j = 0; j < half; ++j) {
    const double angle = static_cast<double>(position) * rope_rates_[j];
    const auto [c, s] =
        std::pair(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
    const auto [a, b] = std::pair(head[j], head[j + half]);
    head[j] = a * c - b * s;
    head[j + half] = b * c + a * s;
  }
}

FloatModel::Rows FloatModel::attend(size_t layer, Rows q, size_t position) {
  const size_t d = config_.head_dim;
  const size_t length = cache_.length();
  const auto factor = static_cast<float>(1 / std::sqrt(static_cast<double>(d)));
  Rows mixed(q.size());
  Rows scores(length);
  for (size_t at = 0; at < q.size(); at += d) {
    const size_t token = at / config_.query_size();
    const size_t kv_head = at % config_.query_size() / d / config_.heads_per_kv();
    const auto head = std::span(q).subspan(at, d);
    rotate(head, position + token);
    const auto keys = cache_.keys(layer, kv_head);
    for (size_t i = 0; i < length; ++i) scores[i] = dot(head.data(), &keys[i * d], d) * factor;
    softmax_in_place(scores);
    const auto values = cache_.values(layer, kv_head);
    for (size_t i = 0; i < length; ++i) {
      for (size_t j = 0; j < d; ++j) mixed[at + j] += scores[i] * values[i * d + j];
    }
  }
  return mixed;
}

FloatModel::Rows FloatModel::run(std::span<const int> tokens, size_t begin, bool last_layer) {
  cache_.open(begin, tokens.size());
  const size_t position = cache_.prefix_length() + begin;
  const size_t d = config_.head_dim;
  Rows hidden;
  for (const int token : tokens) {
    const float* row =
        &weights_->embedding.values[static_cast<size_t>(token) * config_.hidden_size];
    hidden.insert(hidden.end(), row, row + config_.hidden_size);
  }
  for (size_t index = 0; index < config_.layers; ++index) {
    const LayerWeights& layer = weights_->layers[index];
    const Rows x = normed(hidden, layer.input_norm, config_.rms_norm_eps);
    const Rows k = linear(layer.k, x, layer.k_bias);
    const Rows v = linear(layer.v, x, layer.v_bias);
    for (size_t at = 0; at < k.size(); at += d) {
      const auto [row, head] =
          std::pair(position + at / config_.kv_size(), at % config_.kv_size() / d);
      const auto key = cache_.key(index, head, row);
      std::copy_n(&k[at], d, key.begin());
      rotate(key, row);
      std::copy_n(&v[at], d, cache_.value(index, head, row).begin());
    }
    if (!last_layer && index + 1 == config_.layers) return {};
    add(hidden, linear(layer.o, attend(index, linear(layer.q, x, layer.q_bias), position)));
    const Rows y = normed(hidden, layer.post_attention_norm, config_.rms_norm_eps);
    Rows inner = linear(layer.gate, y);
    const Rows up = linear(layer.up, y);
    std::transform(inner.begin(), inner.end(), up.begin(), inner.begin(),
                   [](float g, float u) { return g / (1 + std::exp(-g)) * u; });
    add(hidden, linear(layer.down, inner));
  }
  return normed(hidden, weights_->final_norm, config_.rms_norm_eps);
}

std::vector<float> FloatModel::logits(std::span<const int> tokens, size_t begin) {
  return linear(weights_->embedding, run(tokens, begin, true));
}

std::vector<Prediction> FloatModel::forward(std::span<const int> tokens, size_t begin,
                                            bool predict) {
  if (!predict) {
    run(tokens, begin, false);
    return {};
  }
  Rows scores = logits(tokens, begin);
  std::vector<Prediction> predictions;
  for (size_t at = 0; at < scores.size(); at += config_.vocab_size) {
    const auto row = std::span(scores).subspan(at, config_.vocab_size);
    row[static_cast<size_t>(config_.mask_token)] = -INFINITY;
    softmax_in_place(row);
    const auto best = std::max_element(row.begin(), row.end());
    predictions.push_back({static_cast<int>(best - row.begin()), *best});
  }
  return predictions;
}

}  // namespace rivulet
