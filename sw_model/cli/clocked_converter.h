// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A ConverterDevice made of a converter with a clock: the cycle model or the verilated RTL.
//
// One request, its words and its beats, with random stalls on all three ports; an offer, once made,
// stands until it is accepted. TimeOut after max_cycles or when nothing moves for long; Mismatch
// when the number of beats, the place of the last one or the padding is wrong.

#include <functional>

#include "sw_model/converter/converter_cycle.h"
#include "sw_model/tile/converter_device.h"
#include "tb/random.h"

namespace rivulet {

class ClockedConverter : public ConverterDevice {
 public:
  // One clock cycle: the outputs of the present cycle, then the edge.
  using Step = std::function<ConverterOutputs(const ConverterInputs&)>;

  ClockedConverter(Step step, int link_bits, const DeviceOptions& options);

  Delivery convert(std::span<const int8_t> codes, const ReadRequest& read) override;
  Counters counters() const override { return counters_; }

 private:
  void check_progress(uint64_t idle_cycles) const;

  Step step_;
  int link_bits_;
  DeviceOptions options_;
  Random random_;
  Counters counters_;
};

}  // namespace rivulet
