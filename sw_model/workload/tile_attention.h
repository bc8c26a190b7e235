// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Attention whose two products of each KV head are jobs of a tile: BF16 streams, the values read
// along the outputs, as they are stored.

#include <memory>
#include <span>
#include <vector>

#include "sw_model/tile/device.h"
#include "sw_model/workload/attention.h"
#include "sw_model/workload/attention_inputs.h"
#include "sw_model/workload/prepared.h"
#include "sw_model/workload/stage.h"

namespace rivulet {

class TileAttention final : public Attention {
 public:
  // Both outlive this object.
  TileAttention(TileDevice& device, AttentionInputs& inputs, const AttentionFormat& format);

  void submit() override;
  bool mixed(size_t kv_head, const Range& tokens) override;
  std::span<const Bf16> mixed_row(size_t kv_head, size_t token, size_t head) const override;

 private:
  struct Head {
    Stage scores;  // queries times keys
    Stage mixed;   // probabilities times values
    Prepared probabilities;
  };

  void submit_scores(size_t kv_head);
  void submit_mixed(size_t kv_head);

  AttentionInputs& inputs_;
  size_t heads_per_kv_;
  std::vector<std::unique_ptr<Head>> heads_;
};

}  // namespace rivulet
