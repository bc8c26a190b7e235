// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The converter for the harness of tb/block.

#include <array>
#include <cstdint>
#include <string>

#include "sw_model/converter/converter_cycle.h"
#include "tb/block/block_ports.h"
#include "tb/random.h"

namespace rivulet {

template <>
struct BlockPorts<ConverterBlock> {
  class Noise {
   public:
    explicit Noise(uint64_t seed);
    void fresh(size_t input, ConverterInputs& inputs);
    void rest(size_t input, ConverterInputs& inputs);

   private:
    static constexpr size_t kLongestWord = 4096;  // codes, of a link of 8,192 bits

    Random random_;
    std::array<int8_t, 2 * kLongestWord> codes_;
  };

  static bool same(size_t /*output*/, const ConverterOutputs& a, const ConverterOutputs& b) {
    return a.beat == b.beat && a.beat_last == b.beat_last;
  }
  static std::string text(size_t output, const ConverterOutputs& outputs);
  static std::string text(const ConverterCounters& counters);
};

std::string describe(const ReadRequest& request);

}  // namespace rivulet
