// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/bench_case.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

#include "sw_model/common/device_error.h"
#include "sw_model/tile/checked_device.h"
#include "sw_model/tile/golden_device.h"
#include "tb/random.h"

namespace rivulet {
namespace {

constexpr uint64_t kSeed = 1;

uint64_t total(const PerStream& values) {
  return std::accumulate(values.begin(), values.end(), uint64_t{0});
}

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
  return fmt::format("{}{}{} M={} N={} K={}", layer.empty() ? "" : layer + " ",
                     kStreamNames[static_cast<size_t>(stream)], transpose ? " transposed" : "", m,
                     n, k);
}

BenchResult& BenchResult::operator+=(const BenchResult& other) {
  words_compared += other.words_compared;
  counters += other.counters;
  return *this;
}

uint64_t BenchResult::delivered_bytes() const {
  return total(counters.weight_bytes) + total(counters.kv_bytes);
}
double BenchResult::busy() const { return ratio(counters.array_busy_cycles, counters.cycles); }
double BenchResult::macs_per_cycle() const { return ratio(counters.total_macs(), counters.cycles); }
double BenchResult::fetched() const {
  return ratio(counters.fetched_bytes.total(), counters.stored_bytes.total());
}
double BenchResult::delivered() const {
  return ratio(delivered_bytes(), counters.stored_bytes.total());
}

double peak_macs(const Configuration& configuration, Stream stream) {
  return 4.0 * configuration.peak_macs_per_cycle() / slices(stream);
}

bool meets_goal(const Configuration& configuration, const BenchCase& c, const BenchResult& result) {
  if (c.least_busy == 0) return true;
  const bool once = result.counters.fetched_bytes.total() == result.counters.stored_bytes.total();
  return once && result.busy() >= c.least_busy &&
         result.macs_per_cycle() >= c.least_busy * peak_macs(configuration, c.stream);
}

BenchResult run_case(const Configuration& configuration, const BenchCase& c,
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
  CheckedDevice device(
      make_device(configuration), std::make_unique<GoldenDevice>(),
      fmt::format("make bench ARGS=\"--config {} --only '{}'\"", configuration.name, c.key()));
  std::vector<std::vector<float>> acc(c.jobs, std::vector<float>(c.m * c.n));
  std::vector<std::vector<Bf16>> y(c.jobs, std::vector<Bf16>(c.m * c.n));
  JobId last = 0;
  for (size_t job = 0; job < c.jobs; ++job) {
    last = device.submit({.product = product, .acc = acc[job], .y = y[job]});
  }
  device.wait(last);
  const uint64_t words = 2 * c.jobs * c.m * c.n;  // acc and y
  if (device.words_compared() != words) {
    throw Mismatch(
        fmt::format("{}: {} words compared, {} expected", c.key(), device.words_compared(), words));
  }
  BenchResult result{.words_compared = device.words_compared(), .counters = device.counters()};
  uint64_t named = result.counters.array_busy_cycles + 1;  // counted one cycle later
  for (const auto& [cause, cycles] : result.counters.idle_cycles) named += cycles;
  if (named != result.counters.cycles) {
    throw Mismatch(fmt::format("{}: {} cycles, of which {} are counted by what the array did",
                               c.key(), result.counters.cycles, named));
  }
  return result;
}

}  // namespace rivulet
