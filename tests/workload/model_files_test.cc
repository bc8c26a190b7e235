// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Configuration, weights, evaluation prompts and the folder that holds them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sw_model/numerics/bf16.h"
#include "sw_model/workload/eval_set.h"
#include "sw_model/workload/file.h"
#include "sw_model/workload/input_error.h"
#include "sw_model/workload/model_folder.h"
#include "tests/workload/test_model.h"

namespace rivulet {
namespace {

// The message of the InputError of an action, or "" without one.
template <typename Action>
std::string refusal(const Action& action) {
  try {
    action();
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ModelConfig, EveryKeyIsNeededAndChecked) {
  const TemporaryFolder folder;
  write_model_folder(folder.path(), small_config(), 1);
  const auto good = nlohmann::json::parse(read_text_file(folder / "config.json"));
  ASSERT_EQ(parse_model_config(good.dump(), "c").kv_size(), small_config().kv_size());
  size_t checked = 0;
  for (const auto& [key, value] : good.items()) {
    if (key == "tie_word_embeddings") continue;
    nlohmann::json without = good;
    without.erase(key);
    EXPECT_TRUE(contains(refusal([&] { parse_model_config(without.dump(), "c"); }), key)) << key;
    for (const nlohmann::json& bad : {nlohmann::json("x"), nlohmann::json(-1)}) {
      nlohmann::json wrong = good;
      wrong[key] = bad;
      EXPECT_TRUE(contains(refusal([&] { parse_model_config(wrong.dump(), "c"); }), key)) << key;
    }
    ++checked;
  }
  EXPECT_EQ(checked, 14U);
}

TEST(ModelConfig, InconsistentSizesAreRefused) {
  const TemporaryFolder folder;
  write_model_folder(folder.path(), small_config(), 1);
  const auto good = nlohmann::json::parse(read_text_file(folder / "config.json"));
  const std::vector<std::pair<const char*, nlohmann::json>> wrongs{{"num_key_value_heads", 3},
                                                                   {"head_dim", 7},
                                                                   {"sub_block_size", 3},
                                                                   {"max_position_embeddings", 7},
                                                                   {"eos_token_id", 1},
                                                                   {"mask_token_id", 24},
                                                                   {"hidden_act", "gelu"},
                                                                   {"shift", 1},
                                                                   {"tie_word_embeddings", false},
                                                                   {"rope_theta", 0.5}};
  for (const auto& [key, value] : wrongs) {
    nlohmann::json wrong = good;
    wrong[key] = value;
    EXPECT_NE(refusal([&] { parse_model_config(wrong.dump(), "c"); }), "") << key;
  }
  EXPECT_NE(refusal([] { parse_model_config("[]", "c"); }), "");
  EXPECT_NE(refusal([] { parse_model_config("{", "c"); }), "");
}

TEST(ModelConfig, KeysThatChangeTheArithmeticAreRefused) {
  const TemporaryFolder folder;
  write_model_folder(folder.path(), small_config(), 1);
  const auto good = nlohmann::json::parse(read_text_file(folder / "config.json"));
  const std::vector<std::pair<const char*, nlohmann::json>> wrongs{
      {"rope_scaling", {{"rope_type", "linear"}, {"factor", 4.0}}},
      {"sliding_window", 16},
      {"partial_rotary_factor", 0.5},
      {"use_sliding_window", true},
      {"attention_bias", false},
      {"mlp_bias", true},
      {"quantization_config", {{"bits", 4}}},
      {"softcap", 30}};
  for (const auto& [key, value] : wrongs) {
    nlohmann::json wrong = good;
    wrong[key] = value;
    EXPECT_TRUE(contains(refusal([&] { parse_model_config(wrong.dump(), "c"); }),
                         fmt::format("'{}' is ", key)))
        << key;
  }
  nlohmann::json harmless = good;
  harmless.update({{"rope_scaling", nullptr},
                   {"sliding_window", 4096},
                   {"use_sliding_window", false},
                   {"partial_rotary_factor", 1.0},
                   {"torch_dtype", "bfloat16"},
                   {"transformers_version", "4.40"}});
  EXPECT_EQ(refusal([&] { parse_model_config(harmless.dump(), "c"); }), "");
}

TEST(ModelConfig, DefectsHaveAPlace) {
  EXPECT_TRUE(contains(refusal([] { parse_model_config("{\n \"a\": 1,,\n}", "c"); }), "c:2:9: "));
  EXPECT_TRUE(contains(refusal([] {
                         parse_model_config("{\"a\": 1, \"b\": {\"a\": 1,\n \"k\": 2, \"k\": 3}}",
                                            "c");
                       }),
                       "c:2:10: key 'k' occurs twice"));
}

TEST(ModelWeights, Bf16AndF32TensorsGiveTheSameValues) {
  const ModelConfig config = small_config();
  TensorFile file = random_weights_file(config, 3);
  Tensor& norm = file.tensors["model.norm.weight"];
  std::vector<Bf16> rounded;
  for (const float value : elements_of<float>(norm)) rounded.push_back(bf16_from_float(value));
  norm = make_tensor<Bf16>(Dtype::kBf16, norm.shape, rounded);
  const ModelWeights weights = take_weights(config, file, "f");
  ASSERT_EQ(weights.final_norm.size(), rounded.size());
  for (size_t i = 0; i < rounded.size(); ++i) {
    EXPECT_EQ(weights.final_norm[i], to_float(rounded[i]));
  }
}

TEST(ModelWeights, WrongTensorsAreNamed) {
  const ModelConfig config = small_config();
  const std::string name = "model.layers.1.mlp.up_proj.weight";
  const auto refusal_of = [&](const auto& change) {
    TensorFile file = random_weights_file(config, 3);
    change(file);
    return refusal([&] { take_weights(config, std::move(file), "f"); });
  };
  EXPECT_EQ(refusal_of([](TensorFile&) {}), "");
  EXPECT_TRUE(contains(refusal_of([&](TensorFile& f) { f.tensors.erase(name); }), name));
  EXPECT_TRUE(contains(refusal_of([&](TensorFile& f) { f.tensors["extra"] = f.tensors[name]; }),
                       "'extra': unknown"));
  EXPECT_TRUE(contains(refusal_of([&](TensorFile& f) {
                         std::swap(f.tensors[name].shape[0], f.tensors[name].shape[1]);
                       }),
                       "shape [16,40], the configuration needs [40,16]"));
  EXPECT_TRUE(contains(refusal_of([&](TensorFile& f) { f.tensors[name].dtype = Dtype::kI32; }),
                       "dtype I32"));
  EXPECT_TRUE(contains(refusal_of([&](TensorFile& f) {
                         auto values = elements_of<float>(f.tensors[name]);
                         values[5] = std::nanf("");
                         f.tensors[name] = make_tensor<float>(Dtype::kF32, {40, 16}, values);
                       }),
                       "element 5"));
}

TEST(ModelFolder, ReadsWhatWasWrittenAndNamesWhatIsMissing) {
  const TemporaryFolder folder;
  write_model_folder(folder.path(), small_config(), 1);
  const ModelFolder model = read_model_folder(folder.path());
  EXPECT_EQ(model.vocabulary.size(), 24U);
  EXPECT_EQ(model.weights->layers.size(), 2U);
  EXPECT_TRUE(contains(refusal([&] { read_model_folder(folder / "absent"); }), "absent"));
  std::filesystem::copy(folder / "model.safetensors", folder / "second.safetensors");
  EXPECT_TRUE(contains(refusal([&] { read_model_folder(folder.path()); }), "holds 2"));
  std::filesystem::remove(folder / "second.safetensors");
  std::ofstream(folder / "vocab.json") << R"(["a"])";
  EXPECT_TRUE(contains(refusal([&] { read_model_folder(folder.path()); }), "vocab_size"));
  std::filesystem::remove(folder / "vocab.json");
  EXPECT_TRUE(contains(refusal([&] { read_model_folder(folder.path()); }), "vocab.json"));
}

TEST(EvalSet, TasksQueriesAndErrors) {
  const TemporaryFolder folder;
  write_model_folder(folder.path(), small_config(), 1);
  const auto eval = folder / "eval";
  EXPECT_EQ(eval_tasks(eval), (std::vector<std::string>{"one", "two"}));
  const std::vector<EvalQuery> queries = read_eval_task(eval, "one");
  ASSERT_EQ(queries.size(), 6U);
  EXPECT_EQ(queries[5].context, 2U);
  EXPECT_EQ(std::count(queries[5].prompt.begin(), queries[5].prompt.end(), ' '), 19 + 3 - 1);
  EXPECT_TRUE(contains(refusal([&] { read_eval_task(eval, "three"); }), "known: one, two"));
  EXPECT_TRUE(contains(refusal([&] { read_eval_task(folder / "none", "one"); }), "no evaluation"));
  std::ofstream(eval / "two.jsonl", std::ios::app)
      << R"({"context": 9, "prompt": "w3", "answer": "w4"})";
  EXPECT_TRUE(contains(refusal([&] { read_eval_task(eval, "two"); }), "context 9"));
  std::ofstream(eval / "contexts.jsonl", std::ios::app) << R"({"context": 0, "words": "w3"})";
  EXPECT_TRUE(contains(refusal([&] { read_eval_task(eval, "two"); }), "context 0 occurs twice"));
  write_model_folder(folder.path(), small_config(), 1);
  std::ofstream(eval / "one.jsonl", std::ios::app) << "{";
  EXPECT_TRUE(contains(refusal([&] { read_eval_task(eval, "one"); }), "one.jsonl:7:"));
}

}  // namespace
}  // namespace rivulet
