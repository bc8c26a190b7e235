// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// One forward of the golden model: its matrix products are submitted all at once, and what lies
// between them is computed when a product asks for its rows (docs/workload.md).
//
// Prepared in the hooks of the jobs: residuals and norms row by row, attention by rows and KV
// heads, SiLU by rows and groups of lanes. So the tile works on one product while the next one is
// prepared.

#include <memory>
#include <span>
#include <vector>

#include "sw_model/numerics/rope.h"
#include "sw_model/tile/device.h"
#include "sw_model/workload/attention.h"
#include "sw_model/workload/attention_inputs.h"
#include "sw_model/workload/golden_weights.h"
#include "sw_model/workload/kv_cache.h"
#include "sw_model/workload/language_model.h"
#include "sw_model/workload/prepared.h"
#include "sw_model/workload/stage.h"

namespace rivulet {

// What runs the projections and the head, and what runs the products of attention: if they are the
// same device, as its jobs.
struct ModelDevices {
  std::shared_ptr<TileDevice> linear;
  std::shared_ptr<TileDevice> attention;
};

class GoldenForward {
 public:
  // Tokens at `begin` of the active block, which the cache has opened. All arguments outlive it.
  // With a store, attention reads the prefix there.
  GoldenForward(const GoldenWeights& weights, const Rope& rope, KvCache<Bf16>& cache,
                const ModelDevices& devices, int align_w, std::span<const int> tokens, size_t begin,
                KvStore* store = nullptr);

  // Keys and values enter the cache.
  std::vector<Prediction> predict();
  // Keys and values only: the last layer stops after them.
  void fill_cache();

 private:
  struct Layer {
    // `columns` of keys, values and queries.
    Layer(const GoldenForward& forward, size_t index, size_t columns);

    const GoldenWeights::Layer& weights;
    Stage kvq, o, gate_up, down;
    AttentionInputs inputs;
    std::unique_ptr<Attention> attention;
    Prepared kvq_rows, gate_up_rows;
    std::vector<Prepared> mixed_rows;  // of o, by KV head
    std::vector<Prepared> inner_rows;  // of down, by group
  };

  GemmShape shape(size_t n, size_t k) const;
  // Adds a layer and submits its first product, after the layer before.
  Layer& begin_layer(size_t columns);
  void finish_layer(Layer& layer);
  // The result that is added to the residual stream before the next layer.
  const Stage* last_update() const;
  // Rows of `target`: the residual stream with those of `update` added, normalized.
  OperandReady normed(Stage& target, Prepared& prepared, const Stage* update,
                      const std::vector<Bf16>& weight);
  bool mixed_ready(Layer& layer, const Range& rows, size_t group);
  bool inner_ready(Layer& layer, const Range& rows, size_t group);

  const GoldenWeights& weights_;
  const ModelConfig& config_;
  const Rope& rope_;
  KvCache<Bf16>& cache_;
  const ModelDevices& devices_;
  int align_w_;
  size_t tokens_;
  size_t position_;
  KvStore* store_;
  std::vector<Bf16> hidden_;  // the residual stream, [tokens, hidden]
  std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace rivulet
