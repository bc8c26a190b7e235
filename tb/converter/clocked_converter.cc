// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/converter/clocked_converter.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw_model/common/device_error.h"
#include "sw_model/numerics/pack.h"
#include "tb/converter/converter_traffic.h"

namespace rivulet {
namespace {

// The link beats of one request cut to the 64-bit beats that hold codes.
std::vector<uint64_t> without_padding(std::vector<uint64_t> words, size_t codes, Tier tier) {
  const size_t needed = beat_count(codes, tier);
  if (std::any_of(words.begin() + static_cast<std::ptrdiff_t>(needed), words.end(),
                  [](uint64_t word) { return word != 0; })) {
    throw Mismatch("MISMATCH: the padding of the last link beat is not zero");
  }
  words.resize(needed);
  return words;
}

}  // namespace

ClockedConverter::ClockedConverter(std::unique_ptr<ClockedBlock<ConverterBlock>> converter,
                                   int link_bits, const DeviceOptions& options)
    : converter_(std::move(converter)),
      link_bits_(link_bits),
      stalls_(options.stall_in, options.stall_out, options.seed),
      driver_(*converter_, stalls_, {.max_cycles = options.max_cycles}) {}

Delivery ClockedConverter::convert(std::span<const int8_t> codes, const ReadRequest& read) {
  ConverterTraffic traffic(link_bits_);
  const size_t beats = traffic.add(read, codes, [] { return int8_t{0}; });
  size_t received = 0;
  std::vector<uint64_t> words;
  traffic.on_beat = [&](const ConverterOutputs& out) {
    words.insert(words.end(), out.beat.begin(), out.beat.end());
    ++received;
    if (out.beat_last != (received == beats)) {
      throw Mismatch(
          fmt::format("MISMATCH: beat {} of {} has last = {}", received, beats, out.beat_last));
    }
  };
  driver_.run(traffic);
  counters_.jobs += 1;
  counters_.link_beats += beats;
  counters_.link_busy_cycles += beats;
  Delivery delivery;
  if (beats != 0) {
    auto& bytes = read.kind == Kind::kFfn ? counters_.weight_bytes : counters_.kv_bytes;
    bytes[static_cast<size_t>(stream_of(read.tier))] += words.size() * sizeof(uint64_t);
    delivery.beats = without_padding(std::move(words), codes.size(), read.tier);
    delivery.codes = unpack_codes(delivery.beats, codes.size(), read.tier);
  }
  return delivery;
}

Counters ClockedConverter::counters() const {
  Counters counters = counters_;
  counters.cycles = driver_.cycles();
  return counters;
}

}  // namespace rivulet
