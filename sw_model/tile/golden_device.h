// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The functional model of the tile: views, then the matrix products of docs/numerics.md.
//
// It has no clock: cycles, beats and stalls stay 0, and every operand is counted as moved once.

#include "sw_model/tile/device.h"

namespace rivulet {

class GoldenDevice : public TileDevice {
 public:
  GemmResult gemm(const GemmShape& shape, std::span<const Bf16> x, std::span<const int8_t> codes,
                  std::span<const Bf16> scale, const ReadRequest& read) override;
  GemmResult gemm_bf16(const GemmShape& shape, std::span<const Bf16> x, std::span<const Bf16> w,
                       Kind kind) override;
  Counters counters() const override { return counters_; }

 private:
  void count(const GemmShape& shape, const GemmResult& result);

  Counters counters_;
};

// Stored codes as delivered at `read`: the functional model of the converter.
std::vector<int8_t> deliver(std::span<const int8_t> codes, const ReadRequest& read);

}  // namespace rivulet
