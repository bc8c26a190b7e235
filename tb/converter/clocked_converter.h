// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A ConverterDevice made of a converter with a clock, the cycle model or the verilated RTL, driven
// with random stalls.
//
// TimeOut after max_cycles or when nothing moves for long; Mismatch when the number of beats, the
// place of the last one or the padding is wrong.

#include <memory>

#include "sw_model/tile/converter_device.h"
#include "tb/block/block_driver.h"
#include "tb/converter/converter_block_ports.h"

namespace rivulet {

class ClockedConverter final : public ConverterDevice {
 public:
  ClockedConverter(std::unique_ptr<ClockedBlock<ConverterBlock>> converter, int link_bits,
                   const DeviceOptions& options);

  Delivery convert(std::span<const int8_t> codes, const ReadRequest& read) override;
  Counters counters() const override;

 private:
  std::unique_ptr<ClockedBlock<ConverterBlock>> converter_;
  int link_bits_;
  RandomStalls stalls_;
  BlockDriver<ConverterBlock> driver_;
  Counters counters_;
};

}  // namespace rivulet
