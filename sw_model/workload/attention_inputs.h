// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What attention in one layer of one forward reads, made from the results of the projections as
// they arrive: bias, RoPE, and the way into the cache (docs/numerics.md §12.1, §12.4).
//
// Results of the projections are columns of one stage: keys, values, queries.

#include <span>
#include <vector>

#include "sw_model/kv/kv_store.h"
#include "sw_model/numerics/rope.h"
#include "sw_model/workload/kv_cache.h"
#include "sw_model/workload/prepared.h"
#include "sw_model/workload/stage.h"

namespace rivulet {

class AttentionInputs {
 public:
  // Tokens at `position` and behind it; all arguments outlive this object. `store`, if any, gets
  // the keys before RoPE.
  AttentionInputs(const ModelConfig& config, const Rope& rope, KvCache<Bf16>& cache, size_t layer,
                  size_t position, const Stage& projections, std::span<const Bf16> bias,
                  KvStore* store = nullptr);

  const ModelConfig& config() const { return config_; }
  size_t layer() const { return layer_; }
  size_t tokens() const { return projections_.shape().m; }
  size_t positions() const { return cache_.length(); }  // that the tokens see
  std::span<const Bf16> keys(size_t kv_head) const { return cache_.keys(layer_, kv_head); }
  std::span<const Bf16> values(size_t kv_head) const { return cache_.values(layer_, kv_head); }

  // Whether these positions of the cache hold their keys, or values; those of this forward enter it
  // here.
  bool keys_ready(size_t kv_head, const Range& positions);
  bool values_ready(size_t kv_head, const Range& positions);
  // Writes the queries of a KV head that were not written yet, up to the last of these tokens, to
  // [tokens * heads_per_kv, head_dim], if they are there.
  bool queries_ready(size_t kv_head, const Range& tokens, std::span<Bf16> queries);

 private:
  struct Head {
    Prepared keys, values, queries;
  };

  bool enters(const Range& positions) const;
  void biased(size_t token, size_t column, std::span<Bf16> to) const;

  const ModelConfig& config_;
  const Rope& rope_;
  KvCache<Bf16>& cache_;
  size_t layer_;
  size_t position_;
  const Stage& projections_;
  std::span<const Bf16> bias_;
  KvStore* store_;
  std::vector<Head> heads_;  // of keys and values
};

}  // namespace rivulet
