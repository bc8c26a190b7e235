// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The language model in the arithmetic of the product: BF16 activations, matrix products on a tile.
//
// On the tile: Q, K, V, O, gate, up and down projections (q8 codes, or BF16 streams), the head
// (BF16 stream), and, if asked, the two products of attention (BF16 streams). On the host:
// embedding, norms, bias, RoPE, softmax, SiLU, residuals. Every step is one of docs/numerics.md §7,
// §8, §11, §12.

#include <memory>
#include <vector>

#include "sw_model/numerics/quantize.h"
#include "sw_model/numerics/rope.h"
#include "sw_model/tile/device.h"
#include "sw_model/workload/kv_cache.h"
#include "sw_model/workload/language_model.h"
#include "sw_model/workload/model_weights.h"

namespace rivulet {

enum class WeightFormat { kBf16, kQ8 };

// The weights as the tile reads them; shared by all models that run them.
class GoldenWeights {
 public:
  // One linear layer: q8 codes with scales, or BF16.
  struct Linear {
    size_t rows = 0;
    size_t columns = 0;
    QuantizedMatrix q8;      // kQ8
    std::vector<Bf16> bf16;  // kBf16
    std::vector<Bf16> bias;  // [rows], or empty
  };
  struct Layer {
    std::vector<Bf16> input_norm, post_attention_norm;
    Linear q;
    Linear kv;  // keys over values: one job for both, as they read the same rows
    Linear o;
    Linear gate_up;  // gate over up
    Linear down;
  };

  GoldenWeights(const ModelConfig& config, const ModelWeights& weights, WeightFormat format,
                size_t group);

  ModelConfig config;
  WeightFormat format;
  size_t group;
  std::vector<Bf16> embedding;  // [vocab, hidden]
  std::vector<Layer> layers;
  std::vector<Bf16> final_norm;
};

class GoldenModel : public LanguageModel {
 public:
  // `linear` runs the projections and the head, `attention` the products of attention; they may be
  // the same device.
  GoldenModel(std::shared_ptr<const GoldenWeights> weights, std::shared_ptr<TileDevice> linear,
              std::shared_ptr<TileDevice> attention, int align_w);

  const ModelConfig& config() const override { return weights_->config; }
  size_t prefix_length() const override { return cache_.prefix_length(); }
  void rewind(size_t length) override { cache_.rewind(length); }
  std::vector<Prediction> forward(std::span<const int> tokens, size_t begin, bool predict) override;
  void commit() override { cache_.commit(); }

 private:
  using Rows = std::vector<Bf16>;  // [tokens, width]

  GemmShape shape(size_t m, size_t n, size_t k) const;
  GemmResult product(const GoldenWeights::Linear& linear, const Rows& x);
  Rows biased(const GoldenWeights::Linear& linear, const Rows& x);
  Rows normed(const Rows& x, const std::vector<Bf16>& weight) const;
  void add(Rows& hidden, const Rows& update) const;
  void store_keys_values(size_t layer, const Rows& kv,
                         size_t position);  // [tokens, keys and values]
  Rows attend(size_t layer, Rows q, size_t position);
  Rows feed_forward(const GoldenWeights::Layer& layer, const Rows& x);
  std::vector<Prediction> predict(const Rows& hidden);

  std::shared_ptr<const GoldenWeights> weights_;
  std::shared_ptr<TileDevice> linear_;
  std::shared_ptr<TileDevice> attention_;
  int align_w_;
  Rope rope_;
  KvCache<Bf16> cache_;
};

}  // namespace rivulet
