// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/golden_model.h"

#include <algorithm>
#include <limits>

#include "sw_model/numerics/vector_functions.h"

namespace rivulet {

namespace {

std::vector<Bf16> to_bf16(const std::vector<float>& values) {
  std::vector<Bf16> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), bf16_from_float);
  return result;
}

// A layer with one output after the other: the rows of `first`, then those of `second`.
Matrix stacked(Matrix first, const Matrix& second) {
  first.values.insert(first.values.end(), second.values.begin(), second.values.end());
  first.rows += second.rows;
  return first;
}
std::vector<float> stacked(std::vector<float> first, const std::vector<float>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

GoldenWeights::Linear make_linear(const Matrix& matrix, const std::vector<float>& bias,
                                  WeightFormat format, size_t group) {
  GoldenWeights::Linear linear{
      .rows = matrix.rows, .columns = matrix.columns, .q8 = {}, .bf16 = {}, .bias = to_bf16(bias)};
  if (format == WeightFormat::kQ8) {
    linear.q8 = quantize_matrix(matrix.values, matrix.rows, matrix.columns, group);
  } else {
    linear.bf16 = to_bf16(matrix.values);
  }
  return linear;
}

}  // namespace

GoldenWeights::GoldenWeights(const ModelConfig& model_config, const ModelWeights& weights,
                             WeightFormat weight_format, size_t lanes_per_group)
    : config(model_config),
      format(weight_format),
      group(lanes_per_group),
      embedding(to_bf16(weights.embedding.values)),
      final_norm(to_bf16(weights.final_norm)) {
  const auto linear = [&](const Matrix& matrix, const std::vector<float>& bias = {}) {
    return make_linear(matrix, bias, format, group);
  };
  for (const LayerWeights& layer : weights.layers) {
    layers.push_back({.input_norm = to_bf16(layer.input_norm),
                      .post_attention_norm = to_bf16(layer.post_attention_norm),
                      .q = linear(layer.q, layer.q_bias),
                      .kv = linear(stacked(layer.k, layer.v), stacked(layer.k_bias, layer.v_bias)),
                      .o = linear(layer.o),
                      .gate_up = linear(stacked(layer.gate, layer.up)),
                      .down = linear(layer.down)});
  }
}

GoldenModel::GoldenModel(std::shared_ptr<const GoldenWeights> weights,
                         std::shared_ptr<TileDevice> linear, std::shared_ptr<TileDevice> attention,
                         int align_w)
    : weights_(std::move(weights)),
      linear_(std::move(linear)),
      attention_(std::move(attention)),
      align_w_(align_w),
      rope_(config().head_dim, config().rope_theta, config().max_positions),
      cache_(config()) {}

GemmShape GoldenModel::shape(size_t m, size_t n, size_t k) const {
  return {.m = m, .n = n, .k = k, .group = weights_->group, .align_w = align_w_};
}

GemmResult GoldenModel::product(const GoldenWeights::Linear& linear, const Rows& x) {
  const GemmShape job = shape(x.size() / linear.columns, linear.rows, linear.columns);
  if (weights_->format == WeightFormat::kBf16) {
    return linear_->gemm_bf16(job, x, linear.bf16, Kind::kFfn);
  }
  return linear_->gemm(job, x, linear.q8.codes, linear.q8.scales, ReadRequest{});
}

GoldenModel::Rows GoldenModel::biased(const GoldenWeights::Linear& linear, const Rows& x) {
  const GemmResult result = product(linear, x);
  Rows y(result.acc.size());
  for (size_t i = 0; i < y.size(); ++i) {
    y[i] = add_bias(result.acc[i], linear.bias[i % linear.rows]);
  }
  return y;
}

GoldenModel::Rows GoldenModel::normed(const Rows& x, const std::vector<Bf16>& weight) const {
  Rows y(x.size());
  for (size_t begin = 0; begin < x.size(); begin += weight.size()) {
    rmsnorm(std::span(x).subspan(begin, weight.size()), weight, config().rms_norm_eps,
            std::span(y).subspan(begin, weight.size()));
  }
  return y;
}

void GoldenModel::add(Rows& hidden, const Rows& update) const {
  std::transform(hidden.begin(), hidden.end(), update.begin(), hidden.begin(), residual_add);
}

std::vector<Prediction> GoldenModel::forward(std::span<const int> tokens, size_t begin,
                                             bool wanted) {
  cache_.open(begin, tokens.size());
  const size_t position = cache_.prefix_length() + begin;
  const size_t hidden_size = config().hidden_size;
  Rows hidden;
  for (const int token : tokens) {
    const auto row = weights_->embedding.begin() +
                     static_cast<std::ptrdiff_t>(static_cast<size_t>(token) * hidden_size);
    hidden.insert(hidden.end(), row, row + static_cast<std::ptrdiff_t>(hidden_size));
  }
  for (size_t index = 0; index < weights_->layers.size(); ++index) {
    const GoldenWeights::Layer& layer = weights_->layers[index];
    const Rows x = normed(hidden, layer.input_norm);
    store_keys_values(index, biased(layer.kv, x), position);
    // Nothing reads what the last layer adds to the residual stream of unpredicted rows.
    if (!wanted && index + 1 == weights_->layers.size()) return {};
    add(hidden, product(layer.o, attend(index, biased(layer.q, x), position)).y);
    add(hidden, feed_forward(layer, normed(hidden, layer.post_attention_norm)));
  }
  return predict(hidden);
}

void GoldenModel::store_keys_values(size_t layer, const Rows& kv, size_t position) {
  const size_t d = config().head_dim;
  const size_t width = 2 * config().kv_size();
  for (size_t row = 0; row < kv.size() / width; ++row) {
    for (size_t head = 0; head < config().kv_heads; ++head) {
      const auto k = std::span(kv).subspan(row * width + head * d, d);
      const auto v = std::span(kv).subspan(row * width + config().kv_size() + head * d, d);
      const auto key = cache_.key(layer, head, position + row);
      std::copy(k.begin(), k.end(), key.begin());
      rope_.rotate(key, position + row);
      std::copy(v.begin(), v.end(), cache_.value(layer, head, position + row).begin());
    }
  }
}

GoldenModel::Rows GoldenModel::attend(size_t layer, Rows q, size_t position) {
  const size_t d = config().head_dim;
  const size_t width = config().query_size();
  const size_t length = cache_.length();
  const size_t tokens = q.size() / width;
  const size_t stacked = tokens * config().heads_per_kv();  // rows that read one KV head
  Rows mixed(q.size());
  for (size_t kv_head = 0; kv_head < config().kv_heads; ++kv_head) {
    // Row r of the stack is token r / heads_per_kv, query head r % heads_per_kv of this KV head.
    const auto place = [&](size_t r) {
      return r / config().heads_per_kv() * width +
             (kv_head * config().heads_per_kv() + r % config().heads_per_kv()) * d;
    };
    Rows queries;
    for (size_t r = 0; r < stacked; ++r) {
      const auto head = std::span(q).subspan(place(r), d);
      rope_.rotate(head, position + r / config().heads_per_kv());
      queries.insert(queries.end(), head.begin(), head.end());
    }
    std::vector<float> scores =
        attention_
            ->gemm_bf16(shape(stacked, length, d), queries, cache_.keys(layer, kv_head), Kind::kKv)
            .acc;
    for (float& score : scores) score = scale_score(score, static_cast<int>(d));
    Rows probabilities(scores.size());
    for (size_t r = 0; r < stacked; ++r) {
      softmax(std::span(scores).subspan(r * length, length),
              std::span(probabilities).subspan(r * length, length));
    }
    const auto values = cache_.values(layer, kv_head);
    Rows columns(values.size());  // values arrive along the outputs: [d, length]
    for (size_t i = 0; i < length; ++i) {
      for (size_t j = 0; j < d; ++j) columns[j * length + i] = values[i * d + j];
    }
    const Rows y =
        attention_->gemm_bf16(shape(stacked, d, length), probabilities, columns, Kind::kKv).y;
    for (size_t r = 0; r < stacked; ++r) {
      std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(r * d), d,
                  mixed.begin() + static_cast<std::ptrdiff_t>(place(r)));
    }
  }
  return mixed;
}

GoldenModel::Rows GoldenModel::feed_forward(const GoldenWeights::Layer& layer, const Rows& x) {
  const Rows both = product(layer.gate_up, x).y;
  const size_t width = layer.gate_up.rows / 2;
  Rows inner(both.size() / 2);
  for (size_t i = 0; i < inner.size(); ++i) {
    const size_t at = i / width * 2 * width + i % width;
    inner[i] = gate(silu(both[at]), both[at + width]);
  }
  return product(layer.down, inner).y;
}

std::vector<Prediction> GoldenModel::predict(const Rows& hidden) {
  const size_t vocab = config().vocab_size;
  const Rows x = normed(hidden, weights_->final_norm);
  std::vector<float> logits =
      linear_
          ->gemm_bf16(shape(x.size() / config().hidden_size, vocab, config().hidden_size), x,
                      weights_->embedding, Kind::kFfn)
          .acc;
  std::vector<Prediction> predictions;
  for (size_t begin = 0; begin < logits.size(); begin += vocab) {
    const auto row = std::span(logits).subspan(begin, vocab);
    row[static_cast<size_t>(config().mask_token)] = -std::numeric_limits<float>::infinity();
    const TopProbability top = top_probability(row);
    predictions.push_back({static_cast<int>(top.index), top.probability});
  }
  return predictions;
}

}  // namespace rivulet
