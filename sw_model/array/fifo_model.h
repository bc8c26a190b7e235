// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_fifo, Depth 2 and up: ready and valid come from registers.

#include <array>
#include <cstddef>

namespace rivulet {

template <typename T, size_t kDepth>
class FifoModel {
 public:
  bool ready() const { return size_ < kDepth; }
  bool valid() const { return size_ > 0; }
  // The oldest word; while the FIFO is empty, any word.
  const T& front() const { return words_[first_]; }
  void reset() { size_ = 0; }
  // The clock edge: what is offered is pushed if ready, the oldest word leaves if taken.
  void clock(bool push, const T& word, bool take) {
    const bool pushed = push && ready();
    if (valid() && take) {
      first_ = (first_ + 1) % kDepth;
      --size_;
    }
    if (pushed) words_[(first_ + size_++) % kDepth] = word;
  }

 private:
  std::array<T, kDepth> words_{};
  size_t first_ = 0;
  size_t size_ = 0;
};

}  // namespace rivulet
