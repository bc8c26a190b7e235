// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A tile that multiplies matrices: the golden model, the cycle model or the verilated RTL.
//
// Jobs (tile_job.h) run in the order of submission; several may be in flight, and results of a job
// may be used before it is done. Any m, n, k from 1 up; the device cuts the job into tiles. All
// devices return the same bits. Wrong sizes and parameters a configuration cannot run throw
// std::invalid_argument before anything moves; Mismatch and TimeOut (device_error.h) may come out
// of any wait(), after which the device is of no use. Arithmetic: docs/numerics.md §7 to §9.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "sw_model/numerics/gemm.h"
#include "sw_model/tile/counters.h"
#include "sw_model/tile/tile_job.h"

namespace rivulet {

class TileDevice {
 public:
  virtual ~TileDevice() = default;

  // Puts a job behind all others. Time passes in wait() only.
  virtual JobId submit(TileJob job) = 0;
  // Until all results of this job, and of all before it, are in their places.
  virtual void wait(JobId id) = 0;
  // Whether these results of a job are in their places.
  virtual bool arrived(JobId id, const Range& rows, const Range& columns) const = 0;
  // Of all jobs so far.
  virtual Counters counters() const = 0;

  // One product on its own; `counts` are those of the product if nothing else is in flight.
  GemmResult run(const TileProduct& product);
  // x [m, k], stored codes [n, k], scale [n, groups].
  GemmResult gemm(const GemmShape& shape, std::span<const Bf16> x, std::span<const int8_t> codes,
                  std::span<const Bf16> scale, const ReadRequest& read);
  // x [m, k], w [n, k]; `kind` says what w is: weights, or keys and values.
  GemmResult gemm_bf16(const GemmShape& shape, std::span<const Bf16> x, std::span<const Bf16> w,
                       Kind kind);
};

struct DeviceOptions {
  uint64_t seed = 1;
  double stall_in = 0;          // probability, per cycle, that an input pauses
  double stall_out = 0;         // probability, per cycle, that an output is not taken
  std::string trace_file = {};  // FST; empty = no trace
  uint64_t trace_start = 0;     // first and last cycle of the trace
  uint64_t trace_stop = std::numeric_limits<uint64_t>::max();
  uint64_t max_cycles = 0;  // of all jobs together; 0 = no limit
};

}  // namespace rivulet
