// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/checked_device.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "sw_model/numerics/fp32.h"
#include "sw_model/tile/device_error.h"

namespace rivulet {

namespace {

std::string text(float value) { return fmt::format("0x{:08X} ({:.9g})", fp32_bits(value), value); }
std::string text(Bf16 value) {
  return fmt::format("0x{:04X} ({:.5g})", value.bits, to_float(value));
}

bool same(float a, float b) { return fp32_bits(a) == fp32_bits(b); }
bool same(Bf16 a, Bf16 b) { return a == b; }

std::string describe(const GemmShape& shape) {
  return fmt::format("m {} n {} k {} group {} align_w {}", shape.m, shape.n, shape.k, shape.group,
                     shape.align_w);
}

}  // namespace

CheckedDevice::CheckedDevice(std::unique_ptr<TileDevice> dut, std::unique_ptr<TileDevice> golden,
                             std::string repeat)
    : dut_(std::move(dut)), golden_(std::move(golden)), repeat_(std::move(repeat)) {}

GemmResult CheckedDevice::gemm(const GemmShape& shape, std::span<const Bf16> x,
                               std::span<const int8_t> codes, std::span<const Bf16> scale,
                               const ReadRequest& read) {
  const GemmResult expected = golden_->gemm(shape, x, codes, scale, read);
  GemmResult got = timed([&] { return dut_->gemm(shape, x, codes, scale, read); });
  compare(fmt::format("gemm q{} {}", bits_per_code(read.tier), describe(shape)), shape, expected,
          got);
  return got;
}

GemmResult CheckedDevice::gemm_bf16(const GemmShape& shape, std::span<const Bf16> x,
                                    std::span<const Bf16> w, Kind kind) {
  const GemmResult expected = golden_->gemm_bf16(shape, x, w, kind);
  GemmResult got = timed([&] { return dut_->gemm_bf16(shape, x, w, kind); });
  compare(fmt::format("gemm-bf16 {}", describe(shape)), shape, expected, got);
  return got;
}

GemmResult CheckedDevice::timed(const std::function<GemmResult()>& job) {
  const auto began = std::chrono::steady_clock::now();
  GemmResult result = job();
  dut_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

void CheckedDevice::fail(const std::string& job, const std::string& difference) const {
  throw Mismatch(
      fmt::format("MISMATCH in job {} ({}): {}\n  {} words were equal before\n  repeat with: {}",
                  jobs_, job, difference, compared_, repeat_));
}

void CheckedDevice::compare(const std::string& job, const GemmShape& shape,
                            const GemmResult& expected, const GemmResult& got) {
  const size_t words = shape.m * shape.n;
  expected_ += 2 * words;
  const auto compare_words = [&](const char* name, const auto& want, const auto& have) {
    if (want.size() != words || have.size() != words) {
      fail(job, fmt::format("{} has {} words, the golden model {}, the shape asks for {}", name,
                            have.size(), want.size(), words));
    }
    for (size_t i = 0; i < words; ++i) {
      if (!same(want[i], have[i])) {
        fail(job, fmt::format("{}[{},{}]: expected {}, got {}", name, i / shape.n, i % shape.n,
                              text(want[i]), text(have[i])));
      }
      ++compared_;
    }
  };
  compare_words("acc", expected.acc, got.acc);
  compare_words("y", expected.y, got.y);
  if (expected.counts != got.counts) {
    fail(job, fmt::format("expected {} special and {} saturated steps, got {} and {}",
                          expected.counts.special, expected.counts.saturated, got.counts.special,
                          got.counts.saturated));
  }
  ++jobs_;
}

}  // namespace rivulet
