// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A device under test beside the golden one: every job runs on both and every word is compared.
//
// Compared per job: m * n words of acc, m * n words of y, and the counts of special operands and
// saturations. The first difference throws Mismatch with its place, both values in hex and decoded.
// A result of the wrong size is a mismatch too, so that `compared` always reaches `expected`.

#include <functional>
#include <memory>
#include <string>

#include "sw_model/tile/device.h"

namespace rivulet {

class CheckedDevice : public TileDevice {
 public:
  // Both are owned. `repeat` is the command that repeats the run, printed with a mismatch.
  CheckedDevice(std::unique_ptr<TileDevice> dut, std::unique_ptr<TileDevice> golden,
                std::string repeat);

  GemmResult gemm(const GemmShape& shape, std::span<const Bf16> x, std::span<const int8_t> codes,
                  std::span<const Bf16> scale, const ReadRequest& read) override;
  GemmResult gemm_bf16(const GemmShape& shape, std::span<const Bf16> x, std::span<const Bf16> w,
                       Kind kind) override;
  Counters counters() const override { return dut_->counters(); }

  double dut_seconds() const { return dut_seconds_; }  // wall time in the device under test
  uint64_t words_compared() const { return compared_; }
  uint64_t words_expected() const { return expected_; }  // from the shapes alone

 private:
  GemmResult timed(const std::function<GemmResult()>& job);
  void compare(const std::string& job, const GemmShape& shape, const GemmResult& expected,
               const GemmResult& got);
  [[noreturn]] void fail(const std::string& job, const std::string& difference) const;

  std::unique_ptr<TileDevice> dut_;
  std::unique_ptr<TileDevice> golden_;
  std::string repeat_;
  double dut_seconds_ = 0;
  uint64_t jobs_ = 0;
  uint64_t compared_ = 0;
  uint64_t expected_ = 0;
};

}  // namespace rivulet
