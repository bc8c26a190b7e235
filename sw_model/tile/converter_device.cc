// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/converter_device.h"

#include "sw_model/numerics/pack.h"
#include "sw_model/tile/golden_device.h"

namespace rivulet {

Delivery GoldenConverter::convert(std::span<const int8_t> codes, const ReadRequest& read) {
  check_view(read.view);
  counters_.jobs += 1;
  if (read.tier == Tier::kQ0) return {};
  Delivery delivery;
  delivery.codes = deliver(codes, read);
  delivery.beats = pack_codes(delivery.codes, read.tier);
  auto& bytes = read.kind == Kind::kFfn ? counters_.weight_bytes : counters_.kv_bytes;
  bytes[static_cast<size_t>(stream_of(read.tier))] += delivery.beats.size() * sizeof(uint64_t);
  counters_.link_beats += delivery.beats.size();
  return delivery;
}

}  // namespace rivulet
