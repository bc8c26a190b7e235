// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// docs/numerics.md §14.3: what each kind of forward reads, and at which width.

#include "sw_model/kv/kv_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sw_model/kv/kv_basis.h"
#include "tb/random.h"
#include "tests/numerics/compared.h"

namespace rivulet {
namespace {

constexpr size_t kD = 64, kBlock = 32, kRoom = 192;

struct Bench {
  explicit Bench(KvPolicy policy)
      : store({.layers = 1, .heads = 1, .d = kD, .room = kRoom}, rope,
              {.policy = policy, .bits = default_budget(policy), .ledger = ledger}) {}

  void commit_block() {
    const size_t first = store.prefix();
    std::vector<Bf16> block(kBlock * kD);
    for (size_t i = 0; i < kBlock; ++i) {
      const auto row = std::span(block).subspan(i * kD, kD);
      for (Bf16& element : row) element = bf16_from_double(random.unit() * 4 - 1);
      store.set_key(0, 0, first + i, row);
      keys.insert(keys.end(), row.begin(), row.end());
      for (Bf16& element : row) element = bf16_from_double(random.unit() * 2 - 1.5);
      values.insert(values.end(), row.begin(), row.end());
    }
    store.append_values(0, 0, block);
    store.commit(kBlock);
  }

  // A forward: keys by width (q0, q2, q4, q8, raw) that it read.
  std::vector<uint64_t> forward(size_t begin, size_t size, bool predict) {
    std::vector<uint64_t> before(5), counts(5);
    for (size_t i = 0; i < 5; ++i) before[i] = ledger->keys[i].load();
    store.open(begin, size, predict);
    rows.assign(store.prefix() * kD, Bf16{});
    store.read_keys(0, 0, rows);
    scores.resize(2 * (store.prefix() + kBlock));
    for (float& score : scores) score = static_cast<float>(random.unit());
    tiers = store.value_tiers(0, 0, scores, store.prefix() + kBlock);
    for (size_t i = 0; i < 5; ++i) counts[i] = ledger->keys[i].load() - before[i];
    return counts;
  }

  Random random{test_seed()};
  Rope rope{kD, 10000, kRoom};
  std::shared_ptr<KvLedger> ledger = std::make_shared<KvLedger>();
  KvStore store;
  std::vector<Bf16> keys, values, rows;
  std::vector<float> scores;
  std::vector<Tier> tiers;
};

using Counts = std::vector<uint64_t>;

TEST(KvStore, LifecycleOfABlock) {
  Bench bench(KvPolicy::kLifecycle);
  for (int i = 0; i < 3; ++i) bench.commit_block();
  EXPECT_FALSE(bench.store.fitted());
  EXPECT_EQ(bench.forward(0, 32, true), (Counts{0, 0, 0, 0, 96}));  // RAW
  bench.commit_block();
  EXPECT_TRUE(bench.store.fitted());
  const Counts full{0, 0, 0, 128, 0}, tiered{7, 24, 56, 41, 0};
  EXPECT_EQ(bench.forward(0, 32, true), full);   // WARM
  EXPECT_EQ(bench.forward(0, 8, true), full);    // BUILD
  EXPECT_EQ(bench.forward(0, 8, true), tiered);  // REUSE
  EXPECT_EQ(bench.forward(0, 8, true), tiered);
  EXPECT_EQ(bench.forward(8, 8, true), full);  // another span: BUILD
  EXPECT_EQ(bench.forward(8, 8, true), tiered);
  EXPECT_EQ(bench.forward(0, 32, false), Counts(5));  // COMPL reads q8, which is not counted
  EXPECT_TRUE(std::all_of(bench.tiers.begin(), bench.tiers.end(),
                          [](Tier tier) { return tier == Tier::kQ8; }));
  bench.commit_block();
  EXPECT_EQ(bench.forward(0, 8, true), (Counts{0, 0, 0, 160, 0}));  // WARM of the next block
  bench.store.rewind(96);
  EXPECT_FALSE(bench.store.fitted());
  EXPECT_THROW(bench.store.rewind(128), std::logic_error);
}

// The map is the one of the forward's own scores: of the maximum over its two rows.
TEST(KvStore, FreshMapIsOfThisForward) {
  Bench bench(KvPolicy::kFresh);
  for (int i = 0; i < 5; ++i) bench.commit_block();
  Compared compared("fresh map", test_seed());
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(bench.forward(0, 8, true), (Counts{0, 0, 160, 0, 0}));
    for (size_t i = 0; i < 160; ++i) {
      const auto score = [&](size_t entry) {
        return std::max(bench.scores[entry], bench.scores[192 + entry]);
      };
      size_t rank = 0;
      for (size_t j = 0; j < 160; ++j) rank += score(j) > score(i) ? 1 : 0;
      // 160 entries: 6.4, 19.2 and 48 of them.
      const int tier = rank < 6 ? 3 : rank < 19 ? 2 : rank < 48 ? 1 : 0;
      compared.equal(tier, static_cast<int>(bench.tiers[i]),
                     [&] { return fmt::format("entry {}", i); });
    }
  }
  compared.done(480);
}

TEST(KvStore, TopKMasksTheOthersAndBeforeLags) {
  Bench top(KvPolicy::kTopK), before(KvPolicy::kBefore);
  for (int i = 0; i < 4; ++i) {
    top.commit_block();
    before.commit_block();
  }
  top.forward(0, 8, true);
  size_t masked = 0;
  for (const float score : top.scores) masked += std::isinf(score) ? 1 : 0;
  EXPECT_EQ(masked, 2 * (128 - 16));  // an eighth is kept, in both rows
  before.forward(0, 8, true);
  EXPECT_EQ(std::count(before.tiers.begin(), before.tiers.end(), Tier::kQ8), 128);
  const std::vector<float> old(before.scores.begin(), before.scores.begin() + 320);
  before.forward(0, 8, true);
  std::vector<float> best(128);
  for (size_t i = 0; i < 128; ++i) best[i] = std::max(old[i], old[160 + i]);
  EXPECT_EQ(before.tiers, rank_tiers(best, kv_cuts(KvPolicy::kBefore, 1)).tiers);
}

// Entries before and behind the fit are those of a codec used alone.
TEST(KvStore, RowsAreThoseOfTheCodec) {
  Bench bench(KvPolicy::kQ4);
  for (int i = 0; i < 5; ++i) bench.commit_block();
  bench.forward(0, 8, true);
  const auto prefix = [](const std::vector<Bf16>& x) {
    return std::span<const Bf16>(x).first(128 * kD);
  };
  const std::vector<Bf16> key_u = kv_basis(prefix(bench.keys), kD).u;
  const std::vector<Bf16> value_u = kv_basis(prefix(bench.values), kD).u;
  std::vector<Bf16> values(160 * kD);
  bench.store.read_values(0, 0, bench.tiers, values);
  Compared compared("rows of the store", test_seed());
  for (size_t i = 0; i < 160; ++i) {
    std::vector<int8_t> codes(kD);
    std::vector<Bf16> row(kD);
    const auto check = [&](const std::vector<Bf16>& x, const std::vector<Bf16>& u,
                           const std::vector<Bf16>& got, bool turn) {
      const KvSide side = kv_encode(std::span<const Bf16>(x).subspan(i * kD, kD), u, codes);
      kv_decode(codes, side, u, Tier::kQ4, {}, row);
      if (turn) bench.rope.rotate(row, i);
      for (size_t j = 0; j < kD; ++j) {
        compared.equal(row[j].bits, got[i * kD + j].bits,
                       [&] { return fmt::format("entry {} lane {}", i, j); });
      }
    };
    check(bench.keys, key_u, bench.rows, true);
    check(bench.values, value_u, values, false);
  }
  compared.done(2 * 160 * kD);
}

}  // namespace
}  // namespace rivulet
