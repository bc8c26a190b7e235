// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/converter/converter_cycle.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sw_model/interfaces/wire/rivulet_converter_pkg.h"
#include "sw_model/numerics/pack.h"

namespace rivulet {
namespace {

void count(std::uint64_t& counter, std::uint32_t add) {
  constexpr std::uint64_t kStop = std::uint64_t{0xffff} << (wire::kCountBits - 16);
  if (counter < kStop) counter += add;
}

bool is_empty(const ReadRequest& request) {
  return request.tier == Tier::kQ0 || request.codes == 0;
}

}  // namespace

ConverterCycle::ConverterCycle(int link_bits) : link_bits_(link_bits) {
  if (link_bits <= 0 || link_bits % 64 != 0) {
    throw std::invalid_argument(fmt::format(
        "converter: link width is {} bits, must be a positive multiple of 64", link_bits));
  }
  reset();
}

void ConverterCycle::reset() {
  next_valid_ = false;
  active_ = false;
  left_ = 0;
  offset_ = 0;
  beat_valid_ = false;
  beat_last_ = false;
  beat_.assign(static_cast<std::size_t>(link_bits_) / 64, 0);
  counters_ = ConverterCounters{};
}

std::uint32_t ConverterCycle::codes_per_beat() const {
  return static_cast<std::uint32_t>(link_bits_ / bits_per_code(request_.tier));
}

ConverterCycle::Fires ConverterCycle::fires(const ConverterInputs& in) const {
  Fires f;
  const bool beat_free = !beat_valid_ || in.beat_ready;
  if (active_) {
    const auto word_codes = static_cast<std::uint32_t>(link_bits_ / 2);
    f.last = left_ <= codes_per_beat();
    f.make_beat = in.word_valid && beat_free;
    f.word_ready = beat_free && (f.last || offset_ + codes_per_beat() == word_codes);
  }
  f.start = next_valid_ && (!active_ || (f.make_beat && f.last));
  f.req_ready = is_empty(in.req) || !next_valid_ || f.start;
  return f;
}

ConverterOutputs ConverterCycle::evaluate(const ConverterInputs& in) const {
  const Fires f = fires(in);
  return {f.req_ready, f.word_ready, beat_valid_, beat_last_, beat_, counters_};
}

void ConverterCycle::clock(const ConverterInputs& in) {
  const Fires f = fires(in);
  if (beat_valid_ && in.beat_ready) {
    count(counters_.beats[static_cast<std::size_t>(beat_tier_)], 1);
    beat_valid_ = false;
  }
  if (f.make_beat) {
    const std::uint32_t codes = std::min(left_, codes_per_beat());
    delivered_.clear();
    for (const std::int8_t code : in.word.subspan(offset_, codes)) {
      delivered_.push_back(view_code(code, request_.tier, request_.view));
    }
    beat_ = pack_codes(delivered_, request_.tier, link_bits_);
    beat_valid_ = true;
    beat_last_ = f.last;
    beat_tier_ = request_.tier;
    left_ -= codes;
    offset_ = f.word_ready ? 0 : offset_ + codes;
    active_ = !f.last;
  }
  if (f.start) {
    active_ = true;
    request_ = next_;
    left_ = next_.codes;
    next_valid_ = false;
  }
  if (in.req_valid && f.req_ready) {
    count(counters_.codes[static_cast<std::size_t>(in.req.tier)], in.req.codes);
    if (!is_empty(in.req)) {
      next_valid_ = true;
      next_ = in.req;
    }
  }
}

const ConverterOutputs& ConverterCycle::step(const ConverterInputs& in) {
  outputs_ = evaluate(in);
  clock(in);
  return outputs_;
}

}  // namespace rivulet
