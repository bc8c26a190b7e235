// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Payloads that mean nothing, for the inputs of a tile that are not offered.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw_model/tile/clocked_tile.h"
#include "tb/random.h"

namespace rivulet {

class TileNoise {
 public:
  explicit TileNoise(uint64_t seed);

  // Another one each time.
  void fresh(size_t input, TileInputs& inputs) {
    put(input, &noise_[random_.below(noise_.size() - kLongest)], inputs);
  }
  // Always the same.
  void rest(size_t input, TileInputs& inputs) { put(input, noise_.data(), inputs); }

 private:
  static constexpr size_t kLongest = 64;  // words of the widest payload, 4 * 128 bytes

  void put(size_t input, const uint64_t* noise, TileInputs& inputs);

  Random random_;
  std::vector<uint64_t> noise_;
  TileLoad load_;
  TileRead read_;
  TilePass pass_;
};

}  // namespace rivulet
