// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/model_weights.h"

#include <fmt/format.h>

#include <cmath>

#include "sw_model/numerics/bf16.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

// Hands out the tensors of a file once each; what remains at the end is unknown.
class Taker {
 public:
  Taker(TensorFile file, const std::string& name) : file_(std::move(file)), name_(name) {}

  std::vector<float> vector(const std::string& tensor, size_t size) { return take(tensor, {size}); }

  Matrix matrix(const std::string& tensor, size_t rows, size_t columns) {
    return {rows, columns, take(tensor, {rows, columns})};
  }

  void finish() const {
    if (file_.tensors.empty()) return;
    fail(file_.tensors.begin()->first, "unknown: the configuration has no place for it");
  }

 private:
  [[noreturn]] void fail(const std::string& tensor, const std::string& defect) const {
    throw InputError(fmt::format("{}: tensor '{}': {}", name_, tensor, defect));
  }

  std::vector<float> take(const std::string& name, const std::vector<size_t>& shape) {
    const auto found = file_.tensors.find(name);
    if (found == file_.tensors.end()) fail(name, "missing");
    const Tensor& tensor = found->second;
    if (tensor.shape != shape) {
      fail(name, fmt::format("shape {}, the configuration needs {}", tensor.shape_text(),
                             Tensor{Dtype::kF32, shape, {}}.shape_text()));
    }
    std::vector<float> values;
    if (tensor.dtype == Dtype::kF32) {
      values = elements_of<float>(tensor);
    } else if (tensor.dtype == Dtype::kBf16) {
      for (const Bf16 value : elements_of<Bf16>(tensor)) values.push_back(to_float(value));
    } else {
      fail(name, fmt::format("dtype {}, expected F32 or BF16", dtype_name(tensor.dtype)));
    }
    for (size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) {
        fail(name, fmt::format("element {} is {}, weights must be finite", i, values[i]));
      }
    }
    file_.tensors.erase(found);
    return values;
  }

  TensorFile file_;
  const std::string& name_;
};

LayerWeights take_layer(Taker& taker, const ModelConfig& config, size_t index) {
  const std::string layer = fmt::format("model.layers.{}.", index);
  const auto attention = [&](const char* part) { return layer + "self_attn." + part; };
  const auto mlp = [&](const char* part) { return layer + "mlp." + part; };
  const auto [hidden, inner] = std::pair(config.hidden_size, config.intermediate_size);
  LayerWeights weights;
  weights.input_norm = taker.vector(layer + "input_layernorm.weight", hidden);
  weights.post_attention_norm = taker.vector(layer + "post_attention_layernorm.weight", hidden);
  weights.q = taker.matrix(attention("q_proj.weight"), config.query_size(), hidden);
  weights.k = taker.matrix(attention("k_proj.weight"), config.kv_size(), hidden);
  weights.v = taker.matrix(attention("v_proj.weight"), config.kv_size(), hidden);
  weights.q_bias = taker.vector(attention("q_proj.bias"), config.query_size());
  weights.k_bias = taker.vector(attention("k_proj.bias"), config.kv_size());
  weights.v_bias = taker.vector(attention("v_proj.bias"), config.kv_size());
  weights.o = taker.matrix(attention("o_proj.weight"), hidden, config.query_size());
  weights.gate = taker.matrix(mlp("gate_proj.weight"), inner, hidden);
  weights.up = taker.matrix(mlp("up_proj.weight"), inner, hidden);
  weights.down = taker.matrix(mlp("down_proj.weight"), hidden, inner);
  return weights;
}

}  // namespace

ModelWeights take_weights(const ModelConfig& config, TensorFile file, const std::string& name) {
  Taker taker(std::move(file), name);
  ModelWeights weights;
  weights.embedding =
      taker.matrix("model.embed_tokens.weight", config.vocab_size, config.hidden_size);
  for (size_t i = 0; i < config.layers; ++i) {
    weights.layers.push_back(take_layer(taker, config, i));
  }
  weights.final_norm = taker.vector("model.norm.weight", config.hidden_size);
  taker.finish();
  return weights;
}

}  // namespace rivulet
