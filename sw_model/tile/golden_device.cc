// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/golden_device.h"

#include <algorithm>
#include <array>

#include "sw_model/tile/fast_gemm.h"

namespace rivulet {

std::vector<int8_t> deliver(std::span<const int8_t> codes, const ReadRequest& read) {
  if (read.tier == Tier::kQ8) return {codes.begin(), codes.end()};
  std::array<int8_t, 256> view{};
  for (int code = -128; code <= 127; ++code) {
    view[static_cast<uint8_t>(code)] = view_code(static_cast<int8_t>(code), read.tier, read.view);
  }
  std::vector<int8_t> delivered(codes.size());
  std::transform(codes.begin(), codes.end(), delivered.begin(),
                 [&](int8_t code) { return view[static_cast<uint8_t>(code)]; });
  return delivered;
}

GemmResult GoldenDevice::gemm(const GemmShape& shape, std::span<const Bf16> x,
                              std::span<const int8_t> codes, std::span<const Bf16> scale,
                              const ReadRequest& read) {
  check_job(shape, x, codes, scale, read);
  GemmResult result;
  if (read.tier == Tier::kQ0) {  // nothing is delivered and no step is made
    result.acc.assign(shape.m * shape.n, 0.0F);
    result.y.assign(shape.m * shape.n, Bf16{});
  } else {
    result = fast_gemm(shape, x, deliver(codes, read), scale);
    const auto stream = static_cast<size_t>(stream_of(read.tier));
    const size_t bits = static_cast<size_t>(bits_per_code(read.tier));
    auto& bytes = read.kind == Kind::kFfn ? counters_.weight_bytes : counters_.kv_bytes;
    bytes[stream] += (codes.size() * bits + 7) / 8;
    counters_.stored_bytes.of(read.kind) += codes.size();
    counters_.fetched_bytes.of(read.kind) += codes.size();
    counters_.macs[stream] += shape.m * shape.n * shape.k;
    counters_.scale_bytes += scale.size() * sizeof(Bf16);
  }
  count(shape, result);
  return result;
}

GemmResult GoldenDevice::gemm_bf16(const GemmShape& shape, std::span<const Bf16> x,
                                   std::span<const Bf16> w, Kind kind) {
  check_job(shape, x, w);
  GemmResult result = fast_gemm_bf16(shape, x, w);
  const auto stream = static_cast<size_t>(Stream::kBf16);
  auto& bytes = kind == Kind::kFfn ? counters_.weight_bytes : counters_.kv_bytes;
  bytes[stream] += w.size() * sizeof(Bf16);
  counters_.stored_bytes.of(kind) += w.size() * sizeof(Bf16);
  counters_.fetched_bytes.of(kind) += w.size() * sizeof(Bf16);
  counters_.macs[stream] += shape.m * shape.n * shape.k;
  count(shape, result);
  return result;
}

void GoldenDevice::count(const GemmShape& shape, const GemmResult& result) {
  counters_.jobs += 1;
  counters_.activation_bytes += shape.m * shape.k * sizeof(Bf16);
  counters_.output_bytes += shape.m * shape.n * sizeof(Bf16);
  counters_.special += result.counts.special;
  counters_.saturated += result.counts.saturated;
}

}  // namespace rivulet
