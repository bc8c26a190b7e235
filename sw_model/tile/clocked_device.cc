// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/clocked_device.h"

#include <numeric>
#include <utility>

#include "sw_model/numerics/pack.h"
#include "sw_model/tile/tile_model.h"

namespace rivulet {
namespace {

constexpr uint64_t kBeatBytes = kBeatBits / 8;

}  // namespace

ClockedDevice::ClockedDevice(std::unique_ptr<ClockedTile> tile, const DeviceOptions& options)
    : tile_(std::move(tile)),
      stalls_(options.stall_in, options.stall_out, options.seed),
      driver_(*tile_, stalls_, {.max_cycles = options.max_cycles}) {}

GemmResult ClockedDevice::run(const TileProduct& product) {
  TileProgram program(tile_->configuration());
  program.add(product);
  const TileCounters before = tile_->counters();
  const uint64_t cycles_before = driver_.cycles();
  GemmResult result = std::move(program.results(driver_.run(program)).front());
  const TileCounters after = tile_->counters();
  result.counts = {.special = after.special - before.special,
                   .saturated = after.saturated - before.saturated};

  const size_t stream = product.is_bf16() ? 0 : static_cast<size_t>(stream_of(product.read.tier));
  const GemmShape& shape = product.shape;
  counters_.jobs += 1;
  counters_.cycles += driver_.cycles() - cycles_before;
  counters_.macs[stream] += shape.m * shape.n * shape.k;
  // What moved over the ports and the link, whole beats.
  const uint64_t link_bytes = static_cast<uint64_t>(tile_->configuration().lanes);
  const uint64_t code_beats =
      std::accumulate(after.converter.beats.begin(), after.converter.beats.end(), uint64_t{0}) -
      std::accumulate(before.converter.beats.begin(), before.converter.beats.end(), uint64_t{0});
  const uint64_t link_beats = code_beats + after.w_beats - before.w_beats;
  auto& bytes = product.read.kind == Kind::kKv ? counters_.kv_bytes : counters_.weight_bytes;
  bytes[stream] += link_beats * link_bytes;
  counters_.link_beats += link_beats;
  counters_.link_busy_cycles += link_beats;
  counters_.scale_bytes += (after.scale_beats - before.scale_beats) * kBeatBytes;
  counters_.activation_bytes += (after.x_beats - before.x_beats) * kBeatBytes;
  counters_.output_bytes += (after.y_beats - before.y_beats) * kBeatBytes;
  return result;
}

GemmResult ClockedDevice::gemm(const GemmShape& shape, std::span<const Bf16> x,
                               std::span<const int8_t> codes, std::span<const Bf16> scale,
                               const ReadRequest& read) {
  check_job(shape, x, codes, scale, read);
  if (read.tier == Tier::kQ0) {  // nothing is delivered and no step is made
    counters_.jobs += 1;
    return {.acc = std::vector<float>(shape.m * shape.n),
            .y = std::vector<Bf16>(shape.m * shape.n),
            .counts = {}};
  }
  return run({.shape = shape, .x = x, .codes = codes, .scale = scale, .read = read});
}

GemmResult ClockedDevice::gemm_bf16(const GemmShape& shape, std::span<const Bf16> x,
                                    std::span<const Bf16> w, Kind kind) {
  check_job(shape, x, w);
  return run({.shape = shape, .x = x, .w = w, .read = {.kind = kind}});
}

Counters ClockedDevice::counters() const {
  Counters counters = counters_;
  const TileCounters tile = tile_->counters();
  counters.array_busy_cycles =
      std::accumulate(tile.array_beats.begin(), tile.array_beats.end(), uint64_t{0});
  counters.stall_cycles = {{"tile", tile.wait_tile},
                           {"partial_sums", tile.wait_psum},
                           {"codes", tile.stall_code},
                           {"scales", tile.stall_scale}};
  counters.special = tile.special;
  counters.saturated = tile.saturated;
  return counters;
}

std::unique_ptr<TileDevice> make_cycle_device(const Configuration& configuration,
                                              const DeviceOptions& options) {
  return std::make_unique<ClockedDevice>(std::make_unique<TileModel>(configuration), options);
}

}  // namespace rivulet
