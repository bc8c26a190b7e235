// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The weights of a model as FP32, from safetensors with Qwen2 names
// ("model.layers.0.mlp.up_proj.weight").
//
// F32 and BF16 tensors are accepted. A missing or unknown tensor, a wrong shape or a value that is
// not finite throws InputError that names it.

#include <cstddef>
#include <vector>

#include "sw_model/workload/model_config.h"
#include "sw_model/workload/safetensors.h"

namespace rivulet {

struct Matrix {
  size_t rows = 0;            // outputs
  size_t columns = 0;         // inputs
  std::vector<float> values;  // [rows, columns]
};

struct LayerWeights {
  std::vector<float> input_norm;           // [hidden]
  std::vector<float> post_attention_norm;  // [hidden]
  Matrix q, k, v, o;
  std::vector<float> q_bias, k_bias, v_bias;
  Matrix gate, up, down;
};

struct ModelWeights {
  Matrix embedding;  // [vocab, hidden], also the head
  std::vector<LayerWeights> layers;
  std::vector<float> final_norm;  // [hidden]
};

// `name` stands for the file in messages.
ModelWeights take_weights(const ModelConfig& config, TensorFile file, const std::string& name);

}  // namespace rivulet
