// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The language model in FP32 throughout, without any quantization: the reference of all scores.
//
// Written from the model's equations and not from the golden model. Sums of products run in a fixed
// order of eight interleaved partial sums, so that results repeat on one machine; they are no
// contract between machines.

#include <memory>
#include <vector>

#include "sw_model/workload/kv_cache.h"
#include "sw_model/workload/language_model.h"
#include "sw_model/workload/model_weights.h"

namespace rivulet {

class FloatModel : public LanguageModel {
 public:
  FloatModel(const ModelConfig& config, std::shared_ptr<const ModelWeights> weights);

  const ModelConfig& config() const override { return config_; }
  size_t prefix_length() const override { return cache_.prefix_length(); }
  void rewind(size_t length) override { cache_.rewind(length); }
  std::vector<Prediction> forward(std::span<const int> tokens, size_t begin, bool predict) override;
  void commit() override { cache_.commit(); }

  // As forward() with predict, but returns the logits [tokens, vocab].
  std::vector<float> logits(std::span<const int> tokens, size_t begin);

 private:
  using Rows = std::vector<float>;  // [tokens, width]

  // Final hidden rows; empty if `last_layer` is false, after the keys and values of the last layer.
  Rows run(std::span<const int> tokens, size_t begin, bool last_layer);
  void rotate(std::span<float> head, size_t position) const;
  Rows attend(size_t layer, Rows q, size_t position);

  ModelConfig config_;
  std::shared_ptr<const ModelWeights> weights_;
  std::vector<double> rope_rates_;  // [head_dim / 2], radians per position
  KvCache<float> cache_;
};

}  // namespace rivulet
