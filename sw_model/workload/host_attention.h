// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Attention that is computed when it is asked for, on a device that is used by nobody else.
//
// With a KV store the prefix is read at the widths of its policy (docs/numerics.md §14), all rows
// of a KV head at once: the ranking needs the scores of every row.

#include <span>
#include <vector>

#include "sw_model/kv/kv_store.h"
#include "sw_model/tile/device.h"
#include "sw_model/workload/attention.h"
#include "sw_model/workload/attention_inputs.h"
#include "sw_model/workload/prepared.h"

namespace rivulet {

class HostAttention final : public Attention {
 public:
  // All outlive this object; `store` may be null.
  HostAttention(TileDevice& device, AttentionInputs& inputs, const AttentionFormat& format,
                KvStore* store);

  void submit() override {}
  bool mixed(size_t kv_head, const Range& tokens) override;
  std::span<const Bf16> mixed_row(size_t kv_head, size_t token, size_t head) const override;

 private:
  struct Head {
    std::vector<Bf16> queries, mixed;  // [tokens * heads_per_kv, head_dim]
    Prepared rows;
  };

  bool available(size_t kv_head, const Range& tokens);
  void compute(size_t kv_head, const Range& tokens);

  TileDevice& device_;
  AttentionInputs& inputs_;
  AttentionFormat format_;
  KvStore* store_;
  std::vector<Head> heads_;
};

}  // namespace rivulet
