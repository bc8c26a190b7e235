// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Keys (after RoPE) and values of all layers: the prefix, then the active block.
//
// Per layer and KV head, rows of head_dim elements. The active block sits behind the prefix, so
// that one attention reads rows 0 .. length() - 1. See language_model.h for the rules.

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "sw_model/workload/model_config.h"

namespace rivulet {

template <typename Element>
class KvCache {
 public:
  explicit KvCache(const ModelConfig& config)
      : config_(config),
        room_(config.usable_positions()),
        keys_(config.layers * config.kv_size() * room_),
        values_(keys_.size()) {}

  size_t prefix_length() const { return prefix_; }
  size_t length() const { return prefix_ + config_.block_size; }  // with the active block

  void rewind(size_t length) {
    if (length > prefix_ || length % config_.block_size != 0) {
      throw std::logic_error("KvCache: rewind to no block boundary of the prefix");
    }
    prefix_ = length;
    block_known_ = false;
  }

  // A forward of `size` rows at `begin` of the active block starts.
  void open(size_t begin, size_t size) {
    if (size == 0 || begin + size > config_.block_size) {
      throw std::logic_error("KvCache: rows outside the active block");
    }
    if (!block_known_ && size != config_.block_size) {
      throw std::logic_error("KvCache: part of a block without a block cache");
    }
    if (length() > room_) {
      throw std::logic_error("KvCache: no room for another block");
    }
    block_known_ = true;
  }

  void commit() {
    if (!block_known_) throw std::logic_error("KvCache: commit of a block that was never run");
    prefix_ += config_.block_size;
    block_known_ = false;
  }

  // Row `position` (absolute) of one layer and KV head.
  std::span<Element> key(size_t layer, size_t head, size_t position) {
    return row(keys_, layer, head, position);
  }
  std::span<Element> value(size_t layer, size_t head, size_t position) {
    return row(values_, layer, head, position);
  }

  // Rows 0 .. length() - 1, [length, head_dim].
  std::span<const Element> keys(size_t layer, size_t head) const {
    return rows(keys_, layer, head);
  }
  std::span<const Element> values(size_t layer, size_t head) const {
    return rows(values_, layer, head);
  }

 private:
  size_t offset(size_t layer, size_t head) const {
    return (layer * config_.kv_heads + head) * room_ * config_.head_dim;
  }
  std::span<Element> row(std::vector<Element>& all, size_t layer, size_t head, size_t position) {
    return std::span(all).subspan(offset(layer, head) + position * config_.head_dim,
                                  config_.head_dim);
  }
  std::span<const Element> rows(const std::vector<Element>& all, size_t layer, size_t head) const {
    return std::span(all).subspan(offset(layer, head), length() * config_.head_dim);
  }

  ModelConfig config_;
  size_t room_;
  size_t prefix_ = 0;
  bool block_known_ = false;
  std::vector<Element> keys_, values_;  // [layers, kv_heads, room, head_dim]
};

}  // namespace rivulet
