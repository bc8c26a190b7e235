// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/kv/kv_store.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "sw_model/kv/kv_basis.h"

namespace rivulet {

namespace {

// A score that has no order: splitmix64 of the place.
float random_score(uint64_t place) {
  uint64_t z = place + 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return static_cast<float>((z ^ (z >> 31)) >> 40);
}

}  // namespace

KvStore::KvStore(const KvShape& shape, const Rope& rope, KvOptions options)
    : shape_(shape), rope_(rope), options_(std::move(options)), heads_(shape.layers * shape.heads) {
  if (has_budget(options_.policy)) cuts_ = kv_cuts(options_.policy, options_.bits);
  for (Head& head : heads_) {
    for (Part* part : {&head.keys, &head.values}) {
      part->raw.resize(shape.room * shape.d);
      part->codes.resize(part->raw.size());
      part->sides.resize(shape.room);
      for (auto& rows : part->read) rows.resize(part->raw.size());
    }
  }
}

void KvStore::rewind(size_t length) {
  if (length > prefix_) throw std::logic_error("KvStore: rewind beyond the prefix");
  prefix_ = length;
  fitted_ = fitted_ && length >= kFitTokens;
  block_forwards_ = 0;
  map_valid_ = false;
}

void KvStore::open(size_t begin, size_t size, bool predict) {
  ++forwards_;
  predict_ = predict;
  if (!predict) return;
  const std::pair span{begin, size};
  const bool warm = block_forwards_++ == 0;
  if (warm || span != span_) map_valid_ = false;
  build_ = !warm && !map_valid_;
  full_ = warm || build_;
  span_ = span;
}

void KvStore::set_key(size_t layer, size_t head, size_t position, std::span<const Bf16> key) {
  std::copy(key.begin(), key.end(),
            at(layer, head).keys.raw.begin() + static_cast<std::ptrdiff_t>(position * shape_.d));
}

void KvStore::append_values(size_t layer, size_t head, std::span<const Bf16> values) {
  std::copy(values.begin(), values.end(),
            at(layer, head).values.raw.begin() + static_cast<std::ptrdiff_t>(prefix_ * shape_.d));
}

void KvStore::commit(size_t tokens) {
  const size_t first = fitted_ ? prefix_ : 0;
  prefix_ += tokens;
  block_forwards_ = 0;
  map_valid_ = false;
  if (prefix_ < kFitTokens) return;
  for (Head& head : heads_) {
    for (Part* part : {&head.keys, &head.values}) {
      if (!fitted_) fit(*part);
      encode(*part, first, prefix_, part == &head.keys);
    }
  }
  fitted_ = true;
}

void KvStore::fit(Part& part) const {
  const size_t d = shape_.d;
  part.u = kv_basis(std::span<const Bf16>(part.raw).first(kFitTokens * d), d).u;
  for (size_t i = 0; i < kFitTokens; ++i) {
    part.sides[i] = kv_encode(std::span<const Bf16>(part.raw).subspan(i * d, d), part.u,
                              std::span(part.codes).subspan(i * d, d));
  }
  part.views.a2 =
      fit_q2_amplitude(std::span<const int8_t>(part.codes).first(kFitTokens * d),
                       std::span<const KvSide>(part.sides).first(kFitTokens), part.views.view);
}

void KvStore::encode(Part& part, size_t first, size_t end, bool is_key) const {
  const size_t d = shape_.d;
  for (size_t i = first; i < end; ++i) {
    const auto codes = std::span(part.codes).subspan(i * d, d);
    part.sides[i] = kv_encode(std::span<const Bf16>(part.raw).subspan(i * d, d), part.u, codes);
    for (const Tier tier : {Tier::kQ0, Tier::kQ2, Tier::kQ4, Tier::kQ8}) {
      const auto row = std::span(part.read[static_cast<size_t>(tier)]).subspan(i * d, d);
      kv_decode(codes, part.sides[i], part.u, tier, part.views, row);
      if (is_key) rope_.rotate(row, i);
    }
  }
}

Tier KvStore::key_tier(const Head& head, size_t entry) const {
  if (!predict_) return Tier::kQ8;
  switch (options_.policy) {
    case KvPolicy::kQ8:
      return Tier::kQ8;
    case KvPolicy::kQ2:
      return Tier::kQ2;
    case KvPolicy::kLifecycle:
      return full_ ? Tier::kQ8 : head.map[entry];
    default:
      return Tier::kQ4;
  }
}

void KvStore::read_keys(size_t layer, size_t head, std::span<Bf16> keys) const {
  const Head& from = at(layer, head);
  const size_t d = shape_.d;
  for (size_t i = 0; i < prefix_; ++i) {
    const auto kind = fitted_ ? static_cast<size_t>(key_tier(from, i)) : KvLedger::kRaw;
    if (predict_ && options_.ledger) options_.ledger->add(options_.ledger->keys, kind);
    if (!fitted_) continue;
    const auto row = std::span<const Bf16>(from.keys.read[kind]).subspan(i * d, d);
    std::copy(row.begin(), row.end(), keys.begin() + static_cast<std::ptrdiff_t>(i * d));
  }
}

std::vector<Tier> KvStore::value_tiers(size_t layer, size_t head, std::span<float> scores,
                                       size_t length) {
  Head& of = at(layer, head);
  std::vector<Tier> tiers(prefix_, Tier::kQ8);
  const KvPolicy policy = options_.policy;
  if (!fitted_ || !predict_ || policy == KvPolicy::kQ8) return tiers;
  if (!has_budget(policy)) {
    std::fill(tiers.begin(), tiers.end(), policy == KvPolicy::kQ4 ? Tier::kQ4 : Tier::kQ2);
    return tiers;
  }
  if (policy == KvPolicy::kLifecycle && !full_) return of.map;
  std::vector<float> ranked = fresh_scores(scores, length, prefix_);
  if (policy == KvPolicy::kRandom) {
    for (size_t i = 0; i < prefix_; ++i) {
      ranked[i] = random_score((((forwards_ * 64 + layer) * 64 + head) << 16) + i);
    }
  }
  std::vector<Tier> map = rank_tiers(ranked, cuts_).tiers;
  if (policy == KvPolicy::kFresh || policy == KvPolicy::kRandom) return map;
  if (policy == KvPolicy::kTopK) {
    for (size_t at = 0; at < scores.size(); ++at) {
      const size_t entry = at % length;
      if (entry < prefix_ && map[entry] == Tier::kQ0) {
        scores[at] = -std::numeric_limits<float>::infinity();
      }
    }
    return map;
  }
  // A map for forwards to come. All layers and heads have one, or none has.
  if (policy == KvPolicy::kBefore && block_forwards_ > 1) tiers.swap(of.map);
  of.map = std::move(map);
  map_valid_ = build_;
  return tiers;
}

void KvStore::read_values(size_t layer, size_t head, std::span<const Tier> tiers,
                          std::span<Bf16> values) const {
  const Head& from = at(layer, head);
  const size_t d = shape_.d;
  for (size_t i = 0; i < prefix_; ++i) {
    const auto tier = static_cast<size_t>(tiers[i]);
    size_t kind = fitted_ ? tier : KvLedger::kRaw;
    if (kind == 0 && options_.policy == KvPolicy::kTopK) kind = KvLedger::kNone;
    if (predict_ && options_.ledger) options_.ledger->add(options_.ledger->values, kind);
    if (!fitted_) continue;
    const auto row = std::span<const Bf16>(from.values.read[tier]).subspan(i * d, d);
    std::copy(row.begin(), row.end(), values.begin() + static_cast<std::ptrdiff_t>(i * d));
  }
}

}  // namespace rivulet
