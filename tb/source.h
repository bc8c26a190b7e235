// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Drives valid and payload of a handshake input from a queue of N-bit words.
//
// Raises valid when it has a word and its stall lets it, whatever ready is, and then holds valid
// and payload until accepted. While valid is low the payload is random: nobody may look at it.

#pragma once

#include <deque>
#include <functional>

#include "tb/bits.h"
#include "tb/port.h"

namespace rivulet {

template <unsigned N>
class Source final : public Port {
 public:
  using Write = std::function<void(const Bits<N>&)>;

  // `write` puts a word on the payload signals.
  Source(std::string name, Stall stall, CData& valid, const CData& ready, Write write)
      : Port(std::move(name), std::move(stall), valid, ready),
        valid_out_(valid),
        write_(std::move(write)) {}

  void push(const Bits<N>& word) { queue_.push_back(word); }
  bool empty() const { return queue_.empty(); }

  void drive(Random& random) override {
    if (offering_) return;
    offering_ = !queue_.empty() && !stalled(random);
    valid_out_ = offering_;
    if (offering_) {
      write_(queue_.front());
    } else {
      write_noise(random);
    }
  }
  void reset(Random& random) override {
    queue_.clear();
    offering_ = false;
    valid_out_ = 0;
    write_noise(random);
  }
  std::string state() const override {
    return fmt::format("source {}, {} words waiting", Port::state(), queue_.size());
  }

 private:
  void transfer() override {
    queue_.pop_front();
    offering_ = false;
  }
  void write_noise(Random& random) {
    Bits<N> noise;
    for (unsigned low = 0; low < N; low += 64) noise.set(low, 64, random.next());
    write_(noise);
  }

  CData& valid_out_;
  Write write_;
  std::deque<Bits<N>> queue_;
  bool offering_ = false;
};

}  // namespace rivulet
