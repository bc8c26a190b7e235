// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/bench_cases.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace rivulet {
namespace {

constexpr size_t kJobs = 3;  // in a row
constexpr std::array<Stream, 3> kWidths{Stream::kQ8, Stream::kQ4, Stream::kQ2};
constexpr std::array<Stream, 4> kStreams{Stream::kQ8, Stream::kQ4, Stream::kQ2, Stream::kBf16};

size_t size(int value) { return static_cast<size_t>(value); }

// 2,048 at groups of 128.
size_t reduction(const Configuration& configuration) { return 16 * size(configuration.group); }

bool is_quick(const Configuration& configuration, const BenchCase& c) {
  constexpr double kCycles = 1 << 17;
  return static_cast<double>(c.m * c.n * c.k) <= kCycles * peak_macs(configuration, c.stream);
}

}  // namespace

std::vector<BenchSet> matrix_cases(const Configuration& configuration, bool quick) {
  BenchSet set;
  for (const size_t m : std::set<size_t>{size(configuration.positions), 8, 32, 64}) {
    for (const size_t n : {size_t{16}, size_t{128}, size_t{512}, size_t{2048}}) {
      for (const bool transpose : {false, true}) {
        for (const Stream stream : kStreams) {
          const BenchCase c{.m = m,
                            .n = n,
                            .k = reduction(configuration),
                            .stream = stream,
                            .transpose = transpose,
                            .jobs = kJobs};
          if (!quick || is_quick(configuration, c)) set.cases.push_back(c);
        }
      }
    }
  }
  return {set};
}

std::vector<BenchSet> layer_cases(const Configuration& configuration) {
  if (configuration.group != 128) return {};
  std::vector<BenchSet> sets;
  for (const size_t m : {size_t{8}, size_t{32}}) {
    for (const Stream stream : kWidths) {
      BenchSet set{.total =
                       fmt::format("layer {} M={}", kStreamNames[static_cast<size_t>(stream)], m)};
      const auto add = [&](const char* layer, size_t n, size_t k, bool transpose) {
        set.cases.push_back({.layer = layer,
                             .m = m,
                             .n = n,
                             .k = k,
                             .stream = stream,
                             .transpose = transpose,
                             .least_busy = 0.98});
      };
      add("qkv", 2048, 1536, false);
      add("o", 1536, 1536, false);
      add("gate_up", 17920, 1536, false);
      add("down", 1536, 8960, true);
      sets.push_back(set);
    }
  }
  return sets;
}

std::vector<BenchSet> goal_cases(const Configuration& configuration) {
  if (configuration.group != 128) return {};
  // At 128 lanes a pass of 128 columns takes 128, 64 and 32 cycles, a tile load 64.
  const std::array<double, 3> short_passes =
      configuration.lanes == 128 ? std::array{0.95, 0.90, 0.45} : std::array{0.97, 0.95, 0.90};
  // Half of the width along the outputs needs two row blocks.
  const size_t rows =
      size(configuration.positions) * size(configuration.lanes / configuration.side_lanes);
  BenchSet set;
  for (size_t i = 0; i < kWidths.size(); ++i) {
    set.cases.push_back({.m = size(configuration.positions),
                         .n = 128,
                         .k = reduction(configuration),
                         .stream = kWidths[i],
                         .jobs = kJobs,
                         .least_busy = short_passes[i]});
  }
  for (const size_t n : {size_t{512}, size_t{2048}}) {
    for (const Stream stream : kWidths) {
      set.cases.push_back({.m = rows,
                           .n = n,
                           .k = reduction(configuration),
                           .stream = stream,
                           .transpose = true,
                           .jobs = kJobs,
                           .least_busy = 0.97});
    }
  }
  return {set};
}

}  // namespace rivulet
