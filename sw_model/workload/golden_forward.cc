// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/golden_forward.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sw_model/numerics/vector_functions.h"
#include "sw_model/workload/host_attention.h"
#include "sw_model/workload/tile_attention.h"

namespace rivulet {

GoldenForward::GoldenForward(const GoldenWeights& weights, const Rope& rope, KvCache<Bf16>& cache,
                             const ModelDevices& devices, int align_w, std::span<const int> tokens,
                             size_t begin, KvStore* store)
    : weights_(weights),
      config_(weights.config),
      rope_(rope),
      cache_(cache),
      devices_(devices),
      align_w_(align_w),
      tokens_(tokens.size()),
      position_(cache.prefix_length() + begin),
      store_(store) {
  for (const int token : tokens) {
    const auto row =
        std::span(weights.embedding)
            .subspan(static_cast<size_t>(token) * config_.hidden_size, config_.hidden_size);
    hidden_.insert(hidden_.end(), row.begin(), row.end());
  }
}

GemmShape GoldenForward::shape(size_t n, size_t k) const {
  return {.m = tokens_, .n = n, .k = k, .group = weights_.group, .align_w = align_w_};
}

GoldenForward::Layer::Layer(const GoldenForward& forward, size_t index, size_t columns)
    : weights(forward.weights_.layers[index]),
      kvq(*forward.devices_.linear, forward.shape(columns, weights.kvq.columns)),
      o(*forward.devices_.linear, forward.shape(weights.o.rows, weights.o.columns)),
      gate_up(*forward.devices_.linear,
              forward.shape(weights.gate_up.rows, weights.gate_up.columns)),
      down(*forward.devices_.linear, forward.shape(weights.down.rows, weights.down.columns)),
      inputs(forward.config_, forward.rope_, forward.cache_, index, forward.position_, kvq,
             weights.kvq.bias, forward.store_),
      mixed_rows(forward.config_.kv_heads),
      inner_rows(down.shape().groups()) {
  const AttentionFormat format{.group = forward.weights_.group, .align_w = forward.align_w_};
  TileDevice& device = *forward.devices_.attention;
  if (&device == forward.devices_.linear.get()) {
    attention = std::make_unique<TileAttention>(device, inputs, format);
  } else {
    attention = std::make_unique<HostAttention>(device, inputs, format, forward.store_);
  }
}

const Stage* GoldenForward::last_update() const {
  return layers_.empty() ? nullptr : &layers_.back()->down;
}

OperandReady GoldenForward::normed(Stage& target, Prepared& prepared, const Stage* update,
                                   const std::vector<Bf16>& weight) {
  const auto available = [update](const Range& rows) {
    return update == nullptr || update->arrived(rows);
  };
  const auto prepare = [this, &target, update, &weight](const Range& rows) {
    for (size_t row = rows.first; row < rows.end(); ++row) {
      const auto hidden =
          std::span(hidden_).subspan(row * config_.hidden_size, config_.hidden_size);
      if (update != nullptr) {
        const auto y = update->y(row);
        std::transform(hidden.begin(), hidden.end(), y.begin(), hidden.begin(), residual_add);
      }
      rmsnorm(hidden, weight, config_.rms_norm_eps, target.x(row));
    }
  };
  return [&prepared, available, prepare](const Range& rows, size_t /*group*/) {
    return prepared.ready(rows, available, prepare);
  };
}

GoldenForward::Layer& GoldenForward::begin_layer(size_t columns) {
  const Stage* update = last_update();
  layers_.push_back(std::make_unique<Layer>(*this, layers_.size(), columns));
  Layer& layer = *layers_.back();
  layer.kvq.submit(layer.weights.kvq.operand(columns),
                   normed(layer.kvq, layer.kvq_rows, update, layer.weights.input_norm));
  return layer;
}

void GoldenForward::finish_layer(Layer& layer) {
  layer.attention->submit();
  layer.o.submit(
      layer.weights.o.operand(layer.weights.o.rows),
      [this, &layer](const Range& rows, size_t group) { return mixed_ready(layer, rows, group); });
  layer.gate_up.submit(
      layer.weights.gate_up.operand(layer.weights.gate_up.rows),
      normed(layer.gate_up, layer.gate_up_rows, &layer.o, layer.weights.post_attention_norm));
  layer.down.submit(
      layer.weights.down.operand(layer.weights.down.rows),
      [this, &layer](const Range& rows, size_t group) { return inner_ready(layer, rows, group); });
}

// The rows of the heads that a group of lanes of the output projection reads.
bool GoldenForward::mixed_ready(Layer& layer, const Range& rows, size_t group) {
  const size_t d = config_.head_dim;
  const size_t heads = config_.heads_per_kv();
  const GemmShape& shape = layer.o.shape();
  const size_t end = std::min(shape.k, (group + 1) * shape.group);
  for (size_t kv_head = group * shape.group / (heads * d); kv_head * heads * d < end; ++kv_head) {
    const bool ready = layer.mixed_rows[kv_head].ready(
        rows, [&](const Range& missing) { return layer.attention->mixed(kv_head, missing); },
        [&](const Range& missing) {
          for (size_t row = missing.first; row < missing.end(); ++row) {
            for (size_t head = 0; head < heads; ++head) {
              const auto mixed = layer.attention->mixed_row(kv_head, row, head);
              std::copy(mixed.begin(), mixed.end(),
                        layer.o.x(row).begin() +
                            static_cast<std::ptrdiff_t>((kv_head * heads + head) * d));
            }
          }
        });
    if (!ready) return false;
  }
  return true;
}

// SiLU(gate) * up for the lanes of one group, whose gate and up are neighbouring columns.
bool GoldenForward::inner_ready(Layer& layer, const Range& rows, size_t group) {
  const GemmShape& shape = layer.down.shape();
  const size_t first = group * shape.group;
  const size_t lanes = std::min(shape.group, shape.k - first);
  const Range columns{2 * first, 2 * lanes};
  return layer.inner_rows[group].ready(
      rows, [&](const Range& missing) { return layer.gate_up.arrived(missing, columns); },
      [&](const Range& missing) {
        for (size_t row = missing.first; row < missing.end(); ++row) {
          const auto y = layer.gate_up.y(row).subspan(columns.first, columns.count);
          const auto x = layer.down.x(row).subspan(first, lanes);
          for (size_t i = 0; i < lanes; ++i) x[i] = gate(silu(y[i]), y[lanes + i]);
        }
      });
}

void GoldenForward::fill_cache() {
  for (size_t i = 0; i + 1 < weights_.layers.size(); ++i) {
    finish_layer(begin_layer(weights_.layers[i].kvq.rows));
  }
  Layer& last = begin_layer(2 * config_.kv_size());
  last.kvq.wait();
  const Range positions{0, last.inputs.positions()};
  for (size_t kv_head = 0; kv_head < config_.kv_heads; ++kv_head) {
    last.inputs.keys_ready(kv_head, positions);
    last.inputs.values_ready(kv_head, positions);
  }
}

std::vector<Prediction> GoldenForward::predict() {
  for (const GoldenWeights::Layer& layer : weights_.layers) {
    finish_layer(begin_layer(layer.kvq.rows));
  }
  Stage head(*devices_.linear, shape(config_.vocab_size, config_.hidden_size));
  Prepared rows;
  head.submit({.shape = {}, .x = {}, .w = weights_.embedding},
              normed(head, rows, last_update(), weights_.final_norm));
  head.wait();
  std::vector<Prediction> predictions;
  for (size_t row = 0; row < tokens_; ++row) {
    const auto acc = head.acc(row);
    std::vector<float> logits(acc.begin(), acc.end());
    logits[static_cast<size_t>(config_.mask_token)] = -std::numeric_limits<float>::infinity();
    const TopProbability top = top_probability(logits);
    predictions.push_back({static_cast<int>(top.index), top.probability});
  }
  return predictions;
}

}  // namespace rivulet
