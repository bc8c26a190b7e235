// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/clocked_converter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "sw_model/common/device_error.h"
#include "sw_model/numerics/pack.h"

namespace rivulet {

namespace {

constexpr uint64_t kMaxIdleCycles = 20'000;

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

ClockedConverter::ClockedConverter(Step step, int link_bits, const DeviceOptions& options)
    : step_(std::move(step)), link_bits_(link_bits), options_(options), random_(options.seed) {}

void ClockedConverter::check_progress(uint64_t idle_cycles) const {
  if (options_.max_cycles != 0 && counters_.cycles >= options_.max_cycles) {
    throw TimeOut(
        fmt::format("TIME-OUT: the converter was not done after {} cycles", options_.max_cycles));
  }
  if (idle_cycles > kMaxIdleCycles) {
    throw TimeOut(fmt::format("TIME-OUT: nothing moved for {} cycles, at cycle {}", idle_cycles,
                              counters_.cycles));
  }
}

Delivery ClockedConverter::convert(std::span<const int8_t> codes, const ReadRequest& read) {
  if (codes.size() > std::numeric_limits<uint32_t>::max()) {
    throw std::invalid_argument("a request holds at most 2^32 - 1 codes");
  }
  const size_t word_codes = static_cast<size_t>(link_bits_) / 2;
  const size_t beats = beat_count(codes.size(), read.tier, link_bits_);
  const size_t words = beats == 0 ? 0 : (codes.size() + word_codes - 1) / word_codes;
  std::vector<int8_t> padded(codes.begin(), codes.end());
  padded.resize(std::max<size_t>(words, 1) * word_codes);

  ConverterInputs in;
  in.req = read;
  in.req.codes = static_cast<uint32_t>(codes.size());
  bool requested = false;
  size_t words_sent = 0;
  size_t beats_received = 0;
  std::vector<uint64_t> received;
  uint64_t idle_cycles = 0;
  while (!requested || words_sent < words || beats_received < beats) {
    check_progress(idle_cycles);
    in.req_valid = in.req_valid || (!requested && !random_.chance(options_.stall_in));
    in.word_valid = in.word_valid || (words_sent < words && !random_.chance(options_.stall_in));
    in.word = std::span<const int8_t>(padded).subspan(
        std::min(words_sent, padded.size() / word_codes - 1) * word_codes, word_codes);
    in.beat_ready = !random_.chance(options_.stall_out);
    const ConverterOutputs out = step_(in);
    ++counters_.cycles;
    ++idle_cycles;
    if (in.req_valid && out.req_ready) {
      requested = true;
      in.req_valid = false;
      idle_cycles = 0;
    }
    if (in.word_valid && out.word_ready) {
      ++words_sent;
      in.word_valid = false;
      idle_cycles = 0;
    }
    if (out.beat_valid && in.beat_ready) {
      received.insert(received.end(), out.beat.begin(), out.beat.end());
      ++beats_received;
      idle_cycles = 0;
      if (out.beat_last != (beats_received == beats)) {
        throw Mismatch(fmt::format("MISMATCH: beat {} of {} has last = {}", beats_received, beats,
                                   out.beat_last));
      }
    }
  }
  counters_.jobs += 1;
  counters_.link_beats += beats;
  counters_.link_busy_cycles += beats;
  Delivery delivery;
  if (beats != 0) {
    auto& bytes = read.kind == Kind::kFfn ? counters_.weight_bytes : counters_.kv_bytes;
    bytes[static_cast<size_t>(stream_of(read.tier))] += received.size() * sizeof(uint64_t);
    delivery.beats = without_padding(std::move(received), codes.size(), read.tier);
    delivery.codes = unpack_codes(delivery.beats, codes.size(), read.tier);
  }
  return delivery;
}

}  // namespace rivulet
