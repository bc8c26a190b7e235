// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A tile that multiplies matrices: the golden model, the cycle model or the verilated RTL.
//
// gemm() reads the stored q8 codes through the converter (tier and view of the request; its number
// of codes is not looked at) and multiplies them with the aligned rows of x; gemm_bf16() streams
// BF16 values. Any m, n, k from 1 up; the device cuts the job into tiles. All devices return the
// same bits. Wrong sizes and parameters a configuration cannot run throw std::invalid_argument
// before anything moves; Mismatch and TimeOut: device_error.h. Arithmetic: docs/numerics.md §7 to
// §9.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sw_model/converter/read_request.h"
#include "sw_model/numerics/bf16.h"
#include "sw_model/numerics/gemm.h"
#include "sw_model/numerics/view.h"
#include "sw_model/tile/counters.h"

namespace rivulet {

class TileDevice {
 public:
  virtual ~TileDevice() = default;

  // x [m, k], stored codes [n, k], scale [n, groups].
  virtual GemmResult gemm(const GemmShape& shape, std::span<const Bf16> x,
                          std::span<const int8_t> codes, std::span<const Bf16> scale,
                          const ReadRequest& read) = 0;

  // x [m, k], w [n, k]; `kind` says what w is: weights, or keys and values.
  virtual GemmResult gemm_bf16(const GemmShape& shape, std::span<const Bf16> x,
                               std::span<const Bf16> w, Kind kind) = 0;

  // Of all jobs so far.
  virtual Counters counters() const = 0;
};

struct DeviceOptions {
  uint64_t seed = 1;
  double stall_in = 0;      // probability, per cycle, that an input pauses
  double stall_out = 0;     // probability, per cycle, that an output is not taken
  std::string trace_file;   // FST; empty = no trace
  uint64_t max_cycles = 0;  // of all jobs together; 0 = no limit
};

// Throws std::invalid_argument when spans, group, align_w or view do not fit the shape.
void check_job(const GemmShape& shape, std::span<const Bf16> x, std::span<const int8_t> codes,
               std::span<const Bf16> scale, const ReadRequest& read);
void check_job(const GemmShape& shape, std::span<const Bf16> x, std::span<const Bf16> w);

}  // namespace rivulet
