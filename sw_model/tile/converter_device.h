// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A precision converter on its own: stored q8 codes in, delivered codes and packed beats out.
//
// All converters return the same codes and beats. Beats are 64 bits whatever the width of the link;
// at q0 there are none, and no codes. Arithmetic: docs/numerics.md §9 and §10.

#include <cstdint>
#include <span>
#include <vector>

#include "sw_model/tile/counters.h"
#include "sw_model/tile/device.h"

namespace rivulet {

struct Delivery {
  std::vector<int8_t> codes;
  std::vector<uint64_t> beats;

  friend bool operator==(const Delivery&, const Delivery&) = default;
};

class ConverterDevice {
 public:
  virtual ~ConverterDevice() = default;
  virtual Delivery convert(std::span<const int8_t> codes, const ReadRequest& read) = 0;
  virtual Counters counters() const = 0;
};

// The functional model: no clock, beats counted on a 64-bit link.
class GoldenConverter : public ConverterDevice {
 public:
  Delivery convert(std::span<const int8_t> codes, const ReadRequest& read) override;
  Counters counters() const override { return counters_; }

 private:
  Counters counters_;
};

}  // namespace rivulet
