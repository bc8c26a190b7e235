// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "sw_model/common/json_text.h"
#include "sw_model/common/text.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

using nlohmann::json;

constexpr size_t kLargestSize = 1 << 20;
constexpr size_t kShown = 100;  // bytes of a key or a value

// Keys that say how a model was trained, stored or served, and change no result of this program.
constexpr std::array<std::string_view, 22> kHarmless{"_name_or_path",     "architectures",
                                                     "attention_dropout", "auto_map",
                                                     "bos_token_id",      "dtype",
                                                     "hidden_dropout",    "id2label",
                                                     "initializer_range", "label2id",
                                                     "max_window_layers", "model_type",
                                                     "output_attentions", "output_hidden_states",
                                                     "pad_token_id",      "return_dict",
                                                     "tokenizer_class",   "torch_dtype",
                                                     "torchscript",       "transformers_version",
                                                     "unk_token_id",      "use_cache"};
// Keys whose value is read.
constexpr std::array<std::string_view, 14> kRead{
    "hidden_size",   "intermediate_size",   "num_hidden_layers", "num_attention_heads",
    "head_dim",      "num_key_value_heads", "vocab_size",        "max_position_embeddings",
    "block_size",    "sub_block_size",      "rms_norm_eps",      "rope_theta",
    "mask_token_id", "eos_token_id"};

// A key that is supported with one value only: what the arithmetic does.
struct Supported {
  std::string_view key;
  json value;
};
const std::vector<Supported>& supported() {
  static const std::vector<Supported> list{{"hidden_act", "silu"},
                                           {"tie_word_embeddings", true},
                                           {"shift", 0},
                                           {"attention_bias", true},
                                           {"qkv_bias", true},
                                           {"mlp_bias", false},
                                           {"rope_scaling", nullptr},
                                           {"sliding_window", nullptr},
                                           {"use_sliding_window", false},
                                           {"layer_types", nullptr},
                                           {"partial_rotary_factor", 1},
                                           {"quantization_config", nullptr}};
  return list;
}

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

  // Every key must be read, harmless, or have the one value that is supported: another may change
  // the arithmetic.
  void check_keys() const {
    const auto in = [](const auto& list, const std::string& key) {
      return std::find(list.begin(), list.end(), key) != list.end();
    };
    // Sizes of a window that is not used.
    const bool no_window = object_.value("use_sliding_window", json(true)) == json(false);
    for (const auto& item : object_.items()) {
      const std::string& key = item.key();
      const json& value = item.value();
      if (in(kRead, key) || in(kHarmless, key)) continue;
      if (key == "sliding_window" && no_window) continue;
      const auto known = std::find_if(supported().begin(), supported().end(),
                                      [&](const Supported& entry) { return entry.key == key; });
      if (known == supported().end()) {
        fail(
            fmt::format("'{}' is a key that this program does not know; it may change the "
                        "arithmetic (remove it if it does not)",
                        shortened(key, kShown)));
      }
      if (value != known->value) {
        fail(fmt::format("'{}' is {}, only {} is supported", key, shortened(value.dump(), kShown),
                         known->value.dump()));
      }
    }
  }

 private:
  const json& object_;
  const std::string& name_;
};

}  // namespace

ModelConfig parse_model_config(const std::string& text, const std::string& name) {
  const json object = [&] {
    try {
      return parse_json(text, name);
    } catch (const std::invalid_argument& error) {
      throw InputError(error.what());
    }
  }();
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
  reader.check_keys();
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
