// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The language model in the arithmetic of the product: BF16 activations, matrix products on a tile.
//
// On the tile: the projections (q8 codes, read at the tier of the weights, or BF16 streams), the
// head (BF16 stream), and, if asked, the two products of attention (BF16 streams). On the host:
// embedding, norms, bias, RoPE, softmax, SiLU, residuals. Every step is one of docs/numerics.md §7,
// §8, §11, §12.

#include <memory>
#include <vector>

#include "sw_model/kv/kv_store.h"
#include "sw_model/numerics/rope.h"
#include "sw_model/workload/golden_forward.h"
#include "sw_model/workload/golden_weights.h"
#include "sw_model/workload/kv_cache.h"
#include "sw_model/workload/language_model.h"

namespace rivulet {

class GoldenModel : public LanguageModel {
 public:
  // `linear` runs the projections and the head, `attention` the products of attention; they may be
  // the same device.
  GoldenModel(std::shared_ptr<const GoldenWeights> weights, std::shared_ptr<TileDevice> linear,
              std::shared_ptr<TileDevice> attention, int align_w);
  // The prefix goes through the KV codec; `attention` is then used by nobody else.
  void set_kv(const KvOptions& options);

  const ModelConfig& config() const override { return weights_->config; }
  size_t prefix_length() const override { return cache_.prefix_length(); }
  void rewind(size_t length) override;
  std::vector<Prediction> forward(std::span<const int> tokens, size_t begin, bool predict) override;
  void commit() override;

 private:
  std::shared_ptr<const GoldenWeights> weights_;
  ModelDevices devices_;
  int align_w_;
  Rope rope_;
  KvCache<Bf16> cache_;
  std::unique_ptr<KvStore> store_;  // or none
};

}  // namespace rivulet
