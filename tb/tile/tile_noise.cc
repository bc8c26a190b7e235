// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/tile_noise.h"

namespace rivulet {

TileNoise::TileNoise(uint64_t seed) : random_(seed), noise_(1024) {
  for (uint64_t& word : noise_) word = random_.next();
}

void TileNoise::put(size_t input, const uint64_t* noise, TileInputs& inputs) {
  const auto flag = [noise](int bit) { return (noise[0] >> bit & 1) != 0; };
  const auto field = [noise](size_t word, uint64_t mask) {
    return static_cast<int>(noise[word] & mask);
  };
  switch (static_cast<TileStream>(input)) {
    case TileStream::kLoad:
      load_ = {.from_store = flag(0),
               .keep = flag(1),
               .slot = field(1, 65535),
               .align_w = field(2, 31),
               .rows = field(3, 255),
               .lanes = field(4, 255)};
      inputs.load = &load_;
      break;
    case TileStream::kRead:
      read_ = {.bf16 = flag(0),
               .tier = static_cast<Tier>(field(1, 3)),
               .kind = static_cast<Kind>(field(2, 1)),
               .view = {},
               .transpose = flag(1),
               .align_w = field(3, 31),
               .lanes = field(4, 255),
               .columns = field(5, 65535)};
      inputs.read = &read_;
      break;
    case TileStream::kPass:
      pass_ = {.next_tile = flag(0),
               .job_first = flag(1),
               .first = flag(2),
               .last = flag(3),
               .rewind = flag(4),
               .free = flag(5),
               .base = field(1, 65535)};
      inputs.pass = &pass_;
      break;
    case TileStream::kX:
      inputs.x = reinterpret_cast<const Bf16*>(noise);
      break;
    case TileStream::kWord:
      inputs.word = reinterpret_cast<const int8_t*>(noise);
      break;
    case TileStream::kW:
      inputs.w = reinterpret_cast<const Bf16*>(noise);
      break;
    case TileStream::kScale:
      inputs.scale = noise[0];
      break;
  }
}

}  // namespace rivulet
