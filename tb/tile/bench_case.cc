// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/bench_case.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sw_model/tile/checked_device.h"
#include "sw_model/tile/device_error.h"
#include "sw_model/tile/golden_device.h"
#include "tb/random.h"

namespace rivulet {
namespace {

constexpr uint64_t kSeed = 1;

double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::vector<Bf16> values(Random& random, size_t count) {
  std::vector<Bf16> result(count);
  for (Bf16& value : result) {
    const uint64_t field = 121 + random.below(12);
    value.bits = static_cast<uint16_t>(random.below(2) << 15 | field << 7 | random.below(128));
  }
  return result;
}

}  // namespace

std::string BenchCase::key() const {
  return fmt::format("{}{}{} M={} N={} K={}", name.empty() ? "" : name + " ",
                     kStreamNames[static_cast<size_t>(stream)], transpose ? " transposed" : "", m,
                     n, k);
}

double BenchResult::busy() const { return ratio(counters.array_busy_cycles, counters.cycles); }
double BenchResult::macs_per_cycle() const { return ratio(counters.total_macs(), counters.cycles); }
double BenchResult::fetched() const {
  return ratio(counters.fetched_bytes.total(), counters.stored_bytes.total());
}

BenchResult run_case(const Configuration& configuration, const BenchCase& c, size_t jobs,
                     const MakeDevice& make_device) {
  Random random(kSeed);
  const GemmShape shape{.m = c.m,
                        .n = c.n,
                        .k = c.k,
                        .group = static_cast<size_t>(configuration.group),
                        .align_w = configuration.align_w};
  const std::vector<Bf16> x = values(random, c.m * c.k);
  std::vector<int8_t> codes;
  std::vector<Bf16> scale, w;
  TileProduct product{.shape = shape, .x = x, .transpose = c.transpose};
  if (c.stream == Stream::kBf16) {
    w = values(random, c.n * c.k);
    product.w = w;
  } else {
    codes.resize(c.n * c.k);
    for (int8_t& code : codes) code = static_cast<int8_t>(random.next());
    scale = values(random, c.n * shape.groups());
    product.codes = codes;
    product.scale = scale;
    product.read.tier = static_cast<Tier>(c.stream);
  }
  CheckedDevice device(make_device(configuration), std::make_unique<GoldenDevice>(),
                       fmt::format("make bench ARGS=\"--config {}\"", configuration.name));
  std::vector<std::vector<float>> acc(jobs, std::vector<float>(c.m * c.n));
  std::vector<std::vector<Bf16>> y(jobs, std::vector<Bf16>(c.m * c.n));
  JobId last = 0;
  for (size_t job = 0; job < jobs; ++job) {
    last = device.submit({.product = product, .acc = acc[job], .y = y[job]});
  }
  device.wait(last);
  if (device.words_compared() != device.words_expected()) {
    throw Mismatch(fmt::format("{}: {} words compared, {} expected", c.key(),
                               device.words_compared(), device.words_expected()));
  }
  BenchResult result{.words_compared = device.words_compared(), .counters = device.counters()};
  uint64_t named = result.counters.array_busy_cycles + 1;  // the last cycle is not counted yet
  for (const auto& [cause, cycles] : result.counters.idle_cycles) named += cycles;
  if (named != result.counters.cycles) {
    throw Mismatch(fmt::format("{}: {} cycles, of which {} have a name", c.key(),
                               result.counters.cycles, named));
  }
  return result;
}

}  // namespace rivulet
