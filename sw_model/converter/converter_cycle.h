// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Cycle model of the precision converter (rtl/converter/rivulet_converter.sv).
//
// Plain inputs, plain outputs, one call a clock cycle; outputs, counters included, are those of the
// RTL in every cycle. beat and beat_last mean something only while beat_valid is set. Timing and
// handshakes: docs/converter.md. Values: docs/numerics.md §9 and §10.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/converter/read_request.h"
#include "sw_model/interfaces/clocked_block.h"
#include "sw_model/interfaces/wire/converter_counters.h"

namespace rivulet {

struct ConverterInputs {
  bool req_valid = false;
  ReadRequest req;
  bool word_valid = false;
  // link_bits / 2 stored codes, or more that are not looked at; read only while word_valid is set
  std::span<const std::int8_t> word;
  bool beat_ready = false;
};

// Indexed by tier. A counter stops for good once its upper 16 of 48 bits are all ones.
using ConverterCounters = wire::ConverterCounters;

struct ConverterOutputs {
  bool req_ready = false;
  bool word_ready = false;
  bool beat_valid = false;
  bool beat_last = false;
  std::vector<std::uint64_t> beat;  // link_bits / 64 words, the first one lowest
  ConverterCounters counters;
};

struct ConverterBlock {
  using Inputs = ConverterInputs;
  using Outputs = ConverterOutputs;
  using Counters = ConverterCounters;
  static constexpr size_t kRequest = 0;
  static constexpr size_t kWord = 1;
  static constexpr std::array<const char*, 2> kInputs{"req", "word"};
  static constexpr std::array<const char*, 1> kOutputs{"beat"};

  static bool& valid(Inputs& inputs, size_t input) {
    return input == kRequest ? inputs.req_valid : inputs.word_valid;
  }
  static bool ready(const Outputs& outputs, size_t input) {
    return input == kRequest ? outputs.req_ready : outputs.word_ready;
  }
  static bool& ready(Inputs& inputs, size_t /*output*/) { return inputs.beat_ready; }
  static bool valid(const Outputs& outputs, size_t /*output*/) { return outputs.beat_valid; }
};

class ConverterCycle final : public ClockedBlock<ConverterBlock> {
 public:
  // Throws std::invalid_argument if link_bits is not a positive multiple of 64.
  explicit ConverterCycle(int link_bits);

  void reset() override;
  // The outputs of the present cycle.
  ConverterOutputs evaluate(const ConverterInputs& in) const;
  // The clock edge at the end of the present cycle.
  void clock(const ConverterInputs& in);
  // Both: the outputs of this cycle, then the edge.
  const ConverterOutputs& step(const ConverterInputs& in) override;
  ConverterCounters counters() const override { return counters_; }

  int link_bits() const { return link_bits_; }

 private:
  struct Fires {
    bool req_ready = false;
    bool start = false;  // the waiting request is under way from the next cycle on
    bool word_ready = false;
    bool make_beat = false;  // a beat moves into the output register
    bool last = false;       // it is the last one of its request
  };
  Fires fires(const ConverterInputs& in) const;
  std::uint32_t codes_per_beat() const;

  int link_bits_;
  // The request that waits, or is made ready.
  bool next_valid_ = false;
  ReadRequest next_;
  // The request under way.
  bool active_ = false;
  ReadRequest request_;
  std::uint32_t left_ = 0;    // codes that are not yet in a beat
  std::uint32_t offset_ = 0;  // of the next beat's first code in the present word
  // The output register.
  bool beat_valid_ = false;
  bool beat_last_ = false;
  Tier beat_tier_ = Tier::kQ0;
  std::vector<std::uint64_t> beat_;
  std::vector<std::int8_t> delivered_;  // scratch
  ConverterCounters counters_;
  ConverterOutputs outputs_;  // of the last step
};

}  // namespace rivulet
