// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A device under test beside the golden one: every job runs on both and every word is compared.
//
// Compared per job, when it was waited for: m * n words of acc and m * n words of y; whenever
// nothing is in flight, the counts of special operands and saturations. The golden device reads the
// operands as the device under test left them. Results start as values that no job gives, so that a
// word that was not written is a mismatch. The first difference throws Mismatch with its place,
// both values in hex and decoded.

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sw_model/tile/device.h"

namespace rivulet {

class CheckedDevice : public TileDevice {
 public:
  // Both are owned, and new. `repeat` is the command that repeats the run, printed with a mismatch.
  CheckedDevice(std::unique_ptr<TileDevice> dut, std::unique_ptr<TileDevice> golden,
                std::string repeat);

  JobId submit(TileJob job) override;
  void wait(JobId id) override;
  bool arrived(JobId id, const Range& rows, const Range& columns) const override {
    return dut_->arrived(id, rows, columns);
  }
  Counters counters() const override { return dut_->counters(); }

  double dut_seconds() const { return dut_seconds_ - host_seconds_; }  // wall, in that device
  uint64_t words_compared() const { return compared_; }
  uint64_t words_expected() const { return expected_; }  // from the shapes alone

 private:
  OperandReady timed(OperandReady hook);
  void check_next();
  template <typename T>
  void compare(const TileJob& job, const char* name, const std::vector<T>& want,
               std::span<const T> have);
  void compare_counts();
  [[noreturn]] void fail(const TileJob& job, const std::string& difference) const;

  std::unique_ptr<TileDevice> dut_;
  std::unique_ptr<TileDevice> golden_;
  std::string repeat_;
  std::deque<TileJob> unchecked_;
  double dut_seconds_ = 0;   // in calls of the device under test
  double host_seconds_ = 0;  // of them, in the hooks of jobs
  JobId checked_ = 0;        // jobs
  uint64_t compared_ = 0;
  uint64_t expected_ = 0;
};

}  // namespace rivulet
