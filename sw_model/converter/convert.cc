// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/converter/convert.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sw_model/numerics/pack.h"

namespace rivulet {

Converted convert(std::span<const std::int8_t> stored, const ReadRequest& request, int link_bits) {
  check_view(request.view);
  if (stored.size() != request.codes) {
    throw std::invalid_argument(fmt::format("convert: {} stored codes given, the request is for {}",
                                            stored.size(), request.codes));
  }
  Converted result;
  if (request.tier != Tier::kQ0) {
    result.codes.reserve(stored.size());
    for (const std::int8_t code : stored) {
      result.codes.push_back(view_code(code, request.tier, request.view));
    }
  }
  result.beats = pack_codes(result.codes, request.tier, link_bits);
  return result;
}

}  // namespace rivulet
