// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/checked_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "sw_model/common/device_error.h"
#include "sw_model/numerics/fp32.h"

namespace rivulet {

namespace {

// NaNs that are not the canonical one.
constexpr uint32_t kUnwrittenAcc = 0x7FABCDEF;
constexpr Bf16 kUnwrittenY{0x7FAB};

std::string text(float value) { return fmt::format("0x{:08X} ({:.9g})", fp32_bits(value), value); }
std::string text(Bf16 value) {
  return fmt::format("0x{:04X} ({:.5g})", value.bits, to_float(value));
}

bool same(float a, float b) { return fp32_bits(a) == fp32_bits(b); }
bool same(Bf16 a, Bf16 b) { return a == b; }

std::string describe(const TileProduct& product) {
  const GemmShape& shape = product.shape;
  const std::string width =
      product.is_bf16()              ? "-bf16"
      : !product.segments.empty()    ? fmt::format(" {} segments", product.segments.size())
      : !product.lane_groups.empty() ? fmt::format(" {} lane groups", product.lane_groups.size())
                                     : fmt::format(" q{}", bits_per_code(product.read.tier));
  return fmt::format("gemm{}{} m {} n {} k {} group {} align_w {}", width,
                     product.transpose ? " transposed" : "", shape.m, shape.n, shape.k, shape.group,
                     shape.align_w);
}

// Adds the time until it goes to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

CheckedDevice::CheckedDevice(std::unique_ptr<TileDevice> dut, std::unique_ptr<TileDevice> golden,
                             std::string repeat)
    : dut_(std::move(dut)), golden_(std::move(golden)), repeat_(std::move(repeat)) {}

OperandReady CheckedDevice::timed(OperandReady hook) {
  if (!hook) return hook;
  return [this, hook = std::move(hook)](const Range& range, size_t group) {
    const Stopwatch stopwatch(host_seconds_);
    return hook(range, group);
  };
}

JobId CheckedDevice::submit(TileJob job) {
  check_job(job);
  std::fill(job.acc.begin(), job.acc.end(), fp32_from_bits(kUnwrittenAcc));
  std::fill(job.y.begin(), job.y.end(), kUnwrittenY);
  TileJob unchecked{.product = job.product, .acc = job.acc, .y = job.y};
  job.x_ready = timed(std::move(job.x_ready));
  job.columns_ready = timed(std::move(job.columns_ready));
  JobId id = 0;
  {
    const Stopwatch stopwatch(dut_seconds_);
    id = dut_->submit(std::move(job));
  }
  unchecked_.push_back(std::move(unchecked));
  return id;
}

void CheckedDevice::wait(JobId id) {
  if (id >= checked_ + unchecked_.size()) {
    throw std::logic_error("wait for a job that was not submitted");
  }
  {
    const Stopwatch stopwatch(dut_seconds_);
    dut_->wait(id);
  }
  while (checked_ <= id) check_next();
}

void CheckedDevice::check_next() {
  const TileJob& job = unchecked_.front();
  const size_t words = job.product.shape.m * job.product.shape.n;
  expected_ += 2 * words;
  std::vector<float> acc(words);
  std::vector<Bf16> y(words);
  golden_->wait(golden_->submit({.product = job.product, .acc = acc, .y = y}));
  compare<float>(job, "acc", acc, job.acc);
  compare<Bf16>(job, "y", y, job.y);
  if (unchecked_.size() == 1) compare_counts();
  unchecked_.pop_front();
  ++checked_;
}

template <typename T>
void CheckedDevice::compare(const TileJob& job, const char* name, const std::vector<T>& want,
                            std::span<const T> have) {
  const size_t n = job.product.shape.n;
  for (size_t i = 0; i < want.size(); ++i) {
    if (!same(want[i], have[i])) {
      fail(job, fmt::format("{}[{},{}]: expected {}, got {}", name, i / n, i % n, text(want[i]),
                            text(have[i])));
    }
    ++compared_;
  }
}

void CheckedDevice::compare_counts() {
  const Counters want = golden_->counters();
  const Counters have = dut_->counters();
  if (want.special != have.special || want.saturated != have.saturated) {
    fail(unchecked_.front(),
         fmt::format("expected {} special and {} saturated steps so far, got {} and {}",
                     want.special, want.saturated, have.special, have.saturated));
  }
}

void CheckedDevice::fail(const TileJob& job, const std::string& difference) const {
  throw Mismatch(
      fmt::format("MISMATCH in job {} ({}): {}\n  {} words were equal before\n  repeat with: {}",
                  checked_, describe(job.product), difference, compared_, repeat_));
}

}  // namespace rivulet
