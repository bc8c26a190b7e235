// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_pass.h"

#include <stdexcept>

namespace rivulet {
namespace {

// Appends fields from the most significant one down.
class Packer {
 public:
  void add(int width, int value) {
    const auto bits = static_cast<uint32_t>(value) & ((uint64_t{1} << width) - 1);
    bits_ = bits_ << width | bits;
  }
  unsigned __int128 bits() const { return bits_; }

 private:
  unsigned __int128 bits_ = 0;
};

}  // namespace

Stream stream_of(Tier tier) {
  if (tier == Tier::kQ0) throw std::invalid_argument("tier q0 streams no codes: it has no pass");
  return static_cast<Stream>(tier);
}

TilePass::Packed TilePass::pack() const {
  Packer packer;
  packer.add(2, static_cast<int>(stream));
  packer.add(1, static_cast<int>(kind));
  packer.add(1, view.rounding == Q4Rounding::kHalfUp ? 1 : 0);
  packer.add(8, view.clamp);
  packer.add(3, view.shift);
  packer.add(9, view.theta_p);
  packer.add(9, view.theta_n);
  packer.add(1, transpose ? 1 : 0);
  packer.add(1, load ? 1 : 0);
  packer.add(1, first ? 1 : 0);
  packer.add(1, last ? 1 : 0);
  packer.add(5, align_w);
  packer.add(8, rows);
  packer.add(8, lanes);
  packer.add(16, columns);
  Packed packed{};
  for (size_t word = 0; word < packed.size(); ++word) {
    packed[word] = static_cast<uint32_t>(packer.bits() >> (32 * word));
  }
  return packed;
}

}  // namespace rivulet
