// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/converter_device.h"

#include <utility>

#include "sw_model/converter/convert.h"
#include "sw_model/numerics/pack.h"

namespace rivulet {

Delivery GoldenConverter::convert(std::span<const int8_t> codes, const ReadRequest& read) {
  ReadRequest request = read;
  request.codes = static_cast<uint32_t>(codes.size());
  Converted converted = rivulet::convert(codes, request, kBeatBits);
  Delivery delivery{std::move(converted.codes), std::move(converted.beats)};
  counters_.jobs += 1;
  if (read.tier == Tier::kQ0) return delivery;
  auto& bytes = read.kind == Kind::kFfn ? counters_.weight_bytes : counters_.kv_bytes;
  bytes[static_cast<size_t>(stream_of(read.tier))] += delivery.beats.size() * sizeof(uint64_t);
  counters_.link_beats += delivery.beats.size();
  return delivery;
}

}  // namespace rivulet
