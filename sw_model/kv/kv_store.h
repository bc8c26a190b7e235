// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The prefix as the KV codec keeps it, for all layers and KV heads, and what a forward reads of it.
//
// Raw until a commit brings 128 tokens; then the bases are fitted to the first 128, and every entry
// is encoded. Forwards without predictions (prefill, completion) read q8, the others what the
// policy says. Calls out of order throw std::logic_error. Arithmetic: docs/numerics.md §14.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sw_model/kv/kv_codec.h"
#include "sw_model/kv/kv_ledger.h"
#include "sw_model/kv/kv_policy.h"
#include "sw_model/numerics/rope.h"

namespace rivulet {

struct KvOptions {
  KvPolicy policy = KvPolicy::kFresh;
  double bits = 1;
  std::shared_ptr<KvLedger> ledger;  // may be empty
};

struct KvShape {
  size_t layers = 0, heads = 0, d = 0, room = 0;  // room: positions
};

class KvStore {
 public:
  static constexpr size_t kFitTokens = 128;

  // `rope` outlives this object.
  KvStore(const KvShape& shape, const Rope& rope, KvOptions options);

  void rewind(size_t length);
  // A forward of `size` rows at `begin` of the active block.
  void open(size_t begin, size_t size, bool predict);
  // A key of the active block before RoPE.
  void set_key(size_t layer, size_t head, size_t position, std::span<const Bf16> key);
  // The values of `tokens` more entries of one layer and head; then, once for all, commit().
  void append_values(size_t layer, size_t head, std::span<const Bf16> values);
  void commit(size_t tokens);

  bool fitted() const { return fitted_; }
  size_t prefix() const { return prefix_; }
  // Writes the prefix as this forward reads it, [prefix, d], after RoPE; raw rows stay as they are.
  void read_keys(size_t layer, size_t head, std::span<Bf16> keys) const;
  // Widths of the values from the scores [rows, length], which top-k masks with -Inf.
  std::vector<Tier> value_tiers(size_t layer, size_t head, std::span<float> scores, size_t length);
  void read_values(size_t layer, size_t head, std::span<const Tier> tiers,
                   std::span<Bf16> values) const;

 private:
  struct Part {                 // keys or values of a head
    std::vector<Bf16> raw;      // [room, d]; keys before RoPE
    std::vector<Bf16> u;        // [d,2]
    std::vector<int8_t> codes;  // [room, d]
    std::vector<KvSide> sides;  // [room]
    KvViews views;
    std::array<std::vector<Bf16>, 4> read;  // by tier [room, d]; keys after RoPE
  };
  struct Head {
    Part keys, values;
    std::vector<Tier> map;
  };

  Head& at(size_t layer, size_t head) { return heads_[layer * shape_.heads + head]; }
  const Head& at(size_t layer, size_t head) const { return heads_[layer * shape_.heads + head]; }
  void fit(Part& part) const;
  void encode(Part& part, size_t first, size_t end, bool is_key) const;
  Tier key_tier(const Head& head, size_t entry) const;

  KvShape shape_;
  const Rope& rope_;
  KvOptions options_;
  TierFractions cuts_{};
  std::vector<Head> heads_;  // [layers, heads]
  size_t prefix_ = 0;
  bool fitted_ = false;
  bool predict_ = false;
  bool full_ = false;               // lifecycle: WARM or BUILD
  bool build_ = false;              // lifecycle: BUILD
  size_t block_forwards_ = 0;       // with predictions, of the active block
  std::pair<size_t, size_t> span_;  // of the maps
  bool map_valid_ = false;
  uint64_t forwards_ = 0;
};

}  // namespace rivulet
