// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Attention whose prefix is read through the KV codec at the widths of a policy.
//
// Computed when it is asked for, all rows of a KV head at once: the ranking needs the scores of
// every row. The device is used by nobody else. Arithmetic: docs/numerics.md §8, §12 and §14.

#include <vector>

#include "sw_model/kv/kv_store.h"
#include "sw_model/tile/device.h"
#include "sw_model/workload/attention.h"
#include "sw_model/workload/attention_inputs.h"
#include "sw_model/workload/prepared.h"

namespace rivulet {

class TieredAttention final : public Attention {
 public:
  // All outlive this object; `layer` is that of the inputs.
  TieredAttention(TileDevice& device, AttentionInputs& inputs, KvStore& store, size_t layer,
                  const AttentionFormat& format);

  void submit() override {}
  bool mixed(size_t kv_head, const Range& tokens) override;
  std::span<const Bf16> mixed_row(size_t kv_head, size_t token, size_t head) const override;

 private:
  struct Head {
    std::vector<Bf16> queries, mixed;  // [tokens * heads_per_kv, head_dim]
    Prepared rows;
  };

  bool available(size_t kv_head, const Range& tokens);
  void compute(size_t kv_head);

  TileDevice& device_;
  AttentionInputs& inputs_;
  KvStore& store_;
  size_t layer_;
  AttentionFormat format_;
  std::vector<Head> heads_;
};

}  // namespace rivulet
