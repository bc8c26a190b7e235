// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/converter/converter_block_ports.h"

#include <fmt/format.h>

#include "sw_model/numerics/view.h"

namespace rivulet {

BlockPorts<ConverterBlock>::Noise::Noise(uint64_t seed) : random_(seed) {
  for (int8_t& code : codes_) code = static_cast<int8_t>(random_.below(256));
}

void BlockPorts<ConverterBlock>::Noise::fresh(size_t input, ConverterInputs& inputs) {
  if (input == ConverterBlock::kRequest) {
    const uint64_t bits = random_.next();
    inputs.req = {.tier = static_cast<Tier>(bits & 3),
                  .kind = static_cast<Kind>(bits >> 2 & 1),
                  .view = {.rounding = static_cast<Q4Rounding>(bits >> 3 & 1),
                           .clamp = static_cast<int>(bits >> 4 & 255),
                           .shift = static_cast<int>(bits >> 12 & 7),
                           .theta_p = static_cast<int>(bits >> 15 & 511) - 256,
                           .theta_n = static_cast<int>(bits >> 24 & 511) - 256},
                  .codes = static_cast<uint32_t>(bits >> 32)};
  } else {
    inputs.word = std::span(codes_).subspan(random_.below(kLongestWord), kLongestWord);
  }
}

void BlockPorts<ConverterBlock>::Noise::rest(size_t input, ConverterInputs& inputs) {
  if (input == ConverterBlock::kRequest) {
    inputs.req = {};
  } else {
    inputs.word = std::span(codes_).first(kLongestWord);
  }
}

std::string BlockPorts<ConverterBlock>::text(size_t /*output*/, const ConverterOutputs& outputs) {
  std::string text;
  for (size_t i = outputs.beat.size(); i-- > 0;) text += fmt::format("{:016x}", outputs.beat[i]);
  return text + (outputs.beat_last ? " last" : "");
}

std::string BlockPorts<ConverterBlock>::text(const ConverterCounters& counters) {
  std::string text;
  for (size_t tier = 0; tier < counters.codes.size(); ++tier) {
    text += fmt::format("q{}: {} codes {} beats; ", bits_per_code(static_cast<Tier>(tier)),
                        counters.codes[tier], counters.beats[tier]);
  }
  return text;
}

std::string describe(const ReadRequest& request) {
  return fmt::format("request: {} codes at q{}, kind {}, shift {}, clamp {}, round {}, theta {} {}",
                     request.codes, bits_per_code(request.tier), static_cast<int>(request.kind),
                     request.view.shift, request.view.clamp,
                     static_cast<int>(request.view.rounding), request.view.theta_p,
                     request.view.theta_n);
}

}  // namespace rivulet
