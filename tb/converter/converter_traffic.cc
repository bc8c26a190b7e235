// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/converter/converter_traffic.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "sw_model/common/device_error.h"
#include "sw_model/numerics/pack.h"

namespace rivulet {

size_t ConverterTraffic::add(ReadRequest request, std::span<const int8_t> codes,
                             const Filler& filler) {
  if (codes.size() > std::numeric_limits<uint32_t>::max()) {
    throw std::invalid_argument("a request holds at most 2^32 - 1 codes");
  }
  request.codes = static_cast<uint32_t>(codes.size());
  requests_.push_back(request);
  if (request.tier == Tier::kQ0) return 0;
  const size_t word_codes = static_cast<size_t>(link_bits_) / 2;
  for (size_t first = 0; first < codes.size(); first += word_codes) {
    const auto part = codes.subspan(first, std::min(word_codes, codes.size() - first));
    std::vector<int8_t> word(part.begin(), part.end());
    while (word.size() < word_codes) word.push_back(filler());
    words_.push_back(std::move(word));
  }
  const size_t beats = beat_count(codes.size(), request.tier, link_bits_);
  beats_left_ += beats;
  return beats;
}

bool ConverterTraffic::offer(size_t input, ConverterInputs& inputs) {
  if (input == ConverterBlock::kRequest) {
    if (requests_.empty()) return false;
    inputs.req = requests_.front();
    return true;
  }
  if (words_.empty()) return false;
  inputs.word = words_.front();
  return true;
}

void ConverterTraffic::accepted(size_t input) {
  if (input == ConverterBlock::kRequest) {
    if (on_request) on_request(requests_.front());
    requests_.pop_front();
  } else {
    words_.pop_front();
  }
}

void ConverterTraffic::arrived(size_t /*output*/, const ConverterOutputs& outputs) {
  if (beats_left_ == 0) throw Mismatch("a link beat after the last one");
  --beats_left_;
  if (on_beat) on_beat(outputs);
}

}  // namespace rivulet
