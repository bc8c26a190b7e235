// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/model_config.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

using nlohmann::json;

constexpr size_t kLargestSize = 1 << 20;

class Reader {
 public:
  Reader(const json& object, const std::string& name) : object_(object), name_(name) {}

  [[noreturn]] void fail(const std::string& defect) const {
    throw InputError(fmt::format("{}: {}", name_, defect));
  }

  const json& at(const char* key) const {
    if (!object_.contains(key)) fail(fmt::format("key '{}' is missing", key));
    return object_[key];
  }

  size_t size(const char* key) const {
    const json& value = at(key);
    if (!value.is_number_unsigned() || value.get<size_t>() == 0 ||
        value.get<size_t>() > kLargestSize) {
      fail(fmt::format("'{}' is {}, expected an integer from 1 to {}", key, value.dump(),
                       kLargestSize));
    }
    return value.get<size_t>();
  }

  double real(const char* key, double least) const {
    const json& value = at(key);
    if (!value.is_number() || !(value.get<double>() >= least)) {
      fail(fmt::format("'{}' is {}, expected a number of at least {}", key, value.dump(), least));
    }
    return value.get<double>();
  }

  int token(const char* key, size_t vocab_size) const {
    const json& value = at(key);
    if (!value.is_number_unsigned() || value.get<size_t>() >= vocab_size) {
      fail(fmt::format("'{}' is {}, expected a token below vocab_size {}", key, value.dump(),
                       vocab_size));
    }
    return value.get<int>();
  }

  // A feature this program does not implement, unless it has the expected value or is absent.
  void require(const char* key, const json& expected) const {
    if (object_.contains(key) && object_[key] != expected) {
      fail(fmt::format("'{}' is {}, only {} is supported", key, object_[key].dump(),
                       expected.dump()));
    }
  }

 private:
  const json& object_;
  const std::string& name_;
};

}  // namespace

ModelConfig parse_model_config(const std::string& text, const std::string& name) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) throw InputError(fmt::format("{}: not a JSON object", name));
  const Reader reader(object, name);
  ModelConfig config;
  config.hidden_size = reader.size("hidden_size");
  config.intermediate_size = reader.size("intermediate_size");
  config.layers = reader.size("num_hidden_layers");
  config.heads = reader.size("num_attention_heads");
  config.kv_heads = reader.size("num_key_value_heads");
  config.head_dim = reader.size("head_dim");
  config.vocab_size = reader.size("vocab_size");
  config.max_positions = reader.size("max_position_embeddings");
  config.block_size = reader.size("block_size");
  config.sub_block_size = reader.size("sub_block_size");
  config.rms_norm_eps = reader.real("rms_norm_eps", 0);
  config.rope_theta = reader.real("rope_theta", 1);
  config.mask_token = reader.token("mask_token_id", config.vocab_size);
  config.eos_token = reader.token("eos_token_id", config.vocab_size);
  reader.require("hidden_act", "silu");
  reader.require("tie_word_embeddings", true);
  reader.require("shift", 0);
  if (config.heads % config.kv_heads != 0) {
    reader.fail(fmt::format("num_attention_heads {} is no multiple of num_key_value_heads {}",
                            config.heads, config.kv_heads));
  }
  if (config.head_dim % 2 != 0) {
    reader.fail(fmt::format("head_dim {} is odd, RoPE needs pairs", config.head_dim));
  }
  if (config.block_size % config.sub_block_size != 0) {
    reader.fail(fmt::format("block_size {} is no multiple of sub_block_size {}", config.block_size,
                            config.sub_block_size));
  }
  if (config.max_positions < config.block_size) {
    reader.fail(fmt::format("max_position_embeddings {} is less than block_size {}",
                            config.max_positions, config.block_size));
  }
  if (config.mask_token == config.eos_token) {
    reader.fail("mask_token_id and eos_token_id are equal");
  }
  return config;
}

}  // namespace rivulet
