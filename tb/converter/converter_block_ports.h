// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The converter for the harness of tb/block.

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "sw_model/converter/converter_cycle.h"
#include "tb/block/block_ports.h"
#include "tb/random.h"
#include "tb/wire_port.h"

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

  template <typename Top>
  static void set(Top& top, const ConverterInputs& in) {
    top.req_valid_i = in.req_valid;
    top.word_valid_i = in.word_valid;
    top.beat_ready_i = in.beat_ready;
    write_struct(top.req_i, to_wire(in.req));
    copy_to_port(top.word_i, in.word.data());
  }
  template <typename Top>
  static void get(const Top& top, ConverterOutputs& out) {
    out.req_ready = top.req_ready_o != 0;
    out.word_ready = top.word_ready_o != 0;
    out.beat_valid = top.beat_valid_o != 0;
    out.beat_last = top.beat_last_o != 0;
    constexpr size_t kWordBytes = 8;
    out.beat.resize(sizeof top.beat_o / kWordBytes);
    std::memcpy(out.beat.data(), &top.beat_o, sizeof top.beat_o);
  }
  template <typename Top>
  static ConverterCounters counters(const Top& top) {
    return read_struct<ConverterCounters>(top.counters_o);
  }
};

std::string describe(const ReadRequest& request);

}  // namespace rivulet
