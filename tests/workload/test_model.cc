// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/workload/test_model.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "tb/random.h"

namespace rivulet {

namespace {

float normal(Random& random, double deviation) {
  const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
  return static_cast<float>(deviation * radius * std::cos(2 * std::numbers::pi * random.unit()));
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream stream(path);
  stream << text;
  if (!stream) throw std::runtime_error(path.string() + ": cannot be written");
}

}  // namespace

ModelConfig small_config() {
  ModelConfig config;
  config.hidden_size = 16;
  config.intermediate_size = 40;
  config.layers = 2;
  config.heads = 4;
  config.kv_heads = 2;
  config.head_dim = 8;
  config.vocab_size = 24;
  config.max_positions = 67;  // 64 of them make whole blocks
  config.block_size = 8;
  config.sub_block_size = 4;
  config.rms_norm_eps = 1e-6;
  config.rope_theta = 10000;
  config.mask_token = 1;
  config.eos_token = 2;
  return config;
}

TensorFile random_weights_file(const ModelConfig& config, uint64_t seed) {
  Random random(seed);
  TensorFile file;
  const auto put = [&](const std::string& name, const std::vector<size_t>& shape, double mean,
                       double deviation) {
    Tensor tensor{Dtype::kF32, shape, {}};
    std::vector<float> values(tensor.elements());
    for (float& value : values) value = static_cast<float>(mean) + normal(random, deviation);
    file.tensors[name] = make_tensor<float>(Dtype::kF32, shape, values);
  };
  const auto linear = [&](const std::string& name, size_t rows, size_t columns) {
    put(name + ".weight", {rows, columns}, 0, 1.5 / std::sqrt(static_cast<double>(columns)));
  };
  put("model.embed_tokens.weight", {config.vocab_size, config.hidden_size}, 0, 0.5);
  put("model.norm.weight", {config.hidden_size}, 1, 0.1);
  for (size_t i = 0; i < config.layers; ++i) {
    const std::string layer = fmt::format("model.layers.{}.", i);
    put(layer + "input_layernorm.weight", {config.hidden_size}, 1, 0.1);
    put(layer + "post_attention_layernorm.weight", {config.hidden_size}, 1, 0.1);
    for (const auto& [name, rows] :
         {std::pair("q", config.query_size()), std::pair("k", config.kv_size()),
          std::pair("v", config.kv_size())}) {
      linear(fmt::format("{}self_attn.{}_proj", layer, name), rows, config.hidden_size);
      put(fmt::format("{}self_attn.{}_proj.bias", layer, name), {rows}, 0, 0.2);
    }
    linear(layer + "self_attn.o_proj", config.hidden_size, config.query_size());
    linear(layer + "mlp.gate_proj", config.intermediate_size, config.hidden_size);
    linear(layer + "mlp.up_proj", config.intermediate_size, config.hidden_size);
    linear(layer + "mlp.down_proj", config.hidden_size, config.intermediate_size);
  }
  return file;
}

ModelWeights random_weights(const ModelConfig& config, uint64_t seed) {
  return take_weights(config, random_weights_file(config, seed), "random weights");
}

void write_model_folder(const std::filesystem::path& folder, const ModelConfig& config,
                        uint64_t seed) {
  std::filesystem::create_directories(folder / "eval");
  const nlohmann::json json = {{"hidden_size", config.hidden_size},
                               {"intermediate_size", config.intermediate_size},
                               {"num_hidden_layers", config.layers},
                               {"num_attention_heads", config.heads},
                               {"num_key_value_heads", config.kv_heads},
                               {"head_dim", config.head_dim},
                               {"vocab_size", config.vocab_size},
                               {"max_position_embeddings", config.max_positions},
                               {"block_size", config.block_size},
                               {"sub_block_size", config.sub_block_size},
                               {"rms_norm_eps", config.rms_norm_eps},
                               {"rope_theta", config.rope_theta},
                               {"mask_token_id", config.mask_token},
                               {"eos_token_id", config.eos_token},
                               {"tie_word_embeddings", true}};
  write_text(folder / "config.json", json.dump());
  nlohmann::json words = nlohmann::json::array();
  for (size_t i = 0; i < config.vocab_size; ++i) words.push_back(fmt::format("w{}", i));
  write_text(folder / "vocab.json", words.dump());
  write_safetensors(folder / "model.safetensors", random_weights_file(config, seed));

  Random random(seed);
  const auto text = [&](size_t count) {
    std::string result;
    for (size_t i = 0; i < count; ++i) {
      result += fmt::format("{}w{}", i == 0 ? "" : " ", 3 + random.below(config.vocab_size - 3));
    }
    return result;
  };
  std::string contexts;
  for (size_t i = 0; i < 3; ++i) {
    contexts += nlohmann::json{{"context", i}, {"words", text(17 + i)}}.dump() + "\n";
  }
  write_text(folder / "eval" / "contexts.jsonl", contexts);
  for (const char* task : {"one", "two"}) {
    std::string queries;
    for (size_t i = 0; i < 6; ++i) {
      queries +=
          nlohmann::json{{"context", i / 2}, {"prompt", text(3)}, {"answer", text(4)}}.dump() +
          "\n";
    }
    write_text(folder / "eval" / (std::string(task) + ".jsonl"), queries);
  }
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "rivulet_test_XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error(pattern + ": cannot be created");
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace rivulet
