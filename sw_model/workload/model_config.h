// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Sizes and special tokens of a block-diffusion language model, from its config.json.
//
// Keys are those of Qwen2-style models, and of block diffusion: block_size, sub_block_size,
// mask_token_id, eos_token_id. A missing key, a wrong type or an inconsistent size throws
// InputError that names the key.

#include <cstddef>
#include <string>

namespace rivulet {

struct ModelConfig {
  size_t hidden_size = 0;
  size_t intermediate_size = 0;
  size_t layers = 0;
  size_t heads = 0;
  size_t kv_heads = 0;
  size_t head_dim = 0;
  size_t vocab_size = 0;
  size_t max_positions = 0;  // tokens of prompt and answer
  size_t block_size = 0;
  size_t sub_block_size = 0;
  double rms_norm_eps = 0;
  double rope_theta = 0;
  int mask_token = 0;
  int eos_token = 0;

  size_t query_size() const { return heads * head_dim; }
  size_t kv_size() const { return kv_heads * head_dim; }
  size_t heads_per_kv() const { return heads / kv_heads; }
  // Positions of whole blocks.
  size_t usable_positions() const { return max_positions / block_size * block_size; }
};

// `name` stands for the file in messages.
ModelConfig parse_model_config(const std::string& text, const std::string& name);

}  // namespace rivulet
