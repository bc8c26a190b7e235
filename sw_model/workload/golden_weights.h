// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The weights of a model as the tile reads them; shared by all models that run them.
//
// Layers that read the same rows are one matrix, its rows in the order in which their results are
// needed. Stored codes are q8 (docs/numerics.md §11); a narrower tier reads them through the
// default view, with scales that fit its codes to the q8 ones (least squares in each group).

#include <vector>

#include "sw_model/numerics/quantize.h"
#include "sw_model/tile/tile_product.h"
#include "sw_model/workload/model_weights.h"

namespace rivulet {

enum class WeightFormat { kBf16, kQ8 };

class GoldenWeights {
 public:
  // One linear layer: q8 codes with scales, or BF16.
  struct Linear {
    size_t rows = 0;
    size_t columns = 0;
    QuantizedMatrix q8;      // kQ8
    std::vector<Bf16> bf16;  // kBf16
    std::vector<Bf16> bias;  // [rows], or empty
    ReadRequest read;        // of the codes

    // The product with the first `n` rows; shape and x are left open.
    TileProduct operand(size_t n) const;
  };
  struct Layer {
    std::vector<Bf16> input_norm, post_attention_norm;
    Linear kvq;  // keys, values, queries
    Linear o;
    Linear gate_up;  // `group` rows of gate, the same of up, the next of gate, ...
    Linear down;
  };

  // `tier`, not q0: width of the codes when they are read.
  GoldenWeights(const ModelConfig& config, const ModelWeights& weights, WeightFormat format,
                size_t group, Tier tier = Tier::kQ8);

  ModelConfig config;
  size_t group;
  std::vector<Bf16> embedding;  // [vocab, hidden], also the head
  std::vector<Layer> layers;
  std::vector<Bf16> final_norm;
};

}  // namespace rivulet
