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

constexpr uint64_t kBeatBytes = kBeatBits / 8;  // four BF16

uint64_t total(const PerStream& values) {
  return std::accumulate(values.begin(), values.end(), uint64_t{0});
}

}  // namespace

ClockedDevice::ClockedDevice(std::unique_ptr<ClockedTile> tile, const DeviceOptions& options)
    : tile_(std::move(tile)),
      geometry_(tile_->configuration()),
      stalls_(options.stall_in, options.stall_out, options.seed),
      driver_(*tile_, stalls_, {.max_cycles = options.max_cycles}) {}

GemmResult ClockedDevice::run(const TileProduct& product) {
  TileProgram program(geometry_.configuration());
  program.add(product);
  const TileCounters before = tile_->counters();
  const uint64_t cycles_before = driver_.cycles();
  GemmResult result = std::move(program.results(driver_.run(program.streams())).front());
  driver_.idle(1);  // until the last output beat is counted
  const TileCounters after = tile_->counters();
  result.counts = {.special = after.special - before.special,
                   .saturated = after.saturated - before.saturated};

  const size_t stream = product.is_bf16() ? 0 : static_cast<size_t>(stream_of(product.read.tier));
  const GemmShape& shape = product.shape;
  const Kind kind = product.read.kind;
  counters_.jobs += 1;
  counters_.cycles += driver_.cycles() - cycles_before;
  counters_.macs[stream] += shape.m * shape.n * shape.k;
  // What moved over the ports and the link, whole beats.
  const uint64_t code_beats = total(after.converter.beats) - total(before.converter.beats);
  const uint64_t w_beats = after.w_beats - before.w_beats;
  const uint64_t w_bytes = w_beats * geometry_.stream_values() * sizeof(Bf16);
  auto& bytes = kind == Kind::kKv ? counters_.kv_bytes : counters_.weight_bytes;
  bytes[stream] += code_beats * geometry_.lanes() + w_bytes;
  counters_.stored_bytes.of(kind) +=
      product.is_bf16() ? product.w.size() * sizeof(Bf16) : product.codes.size();
  counters_.fetched_bytes.of(kind) +=
      (after.words - before.words) * geometry_.word_codes() + w_bytes;
  counters_.link_beats += code_beats + w_beats;
  counters_.link_busy_cycles += code_beats + w_beats;
  counters_.scale_bytes += (after.scale_beats - before.scale_beats) * kBeatBytes;
  counters_.activation_bytes +=
      (after.x_beats - before.x_beats) * geometry_.x_values() * sizeof(Bf16);
  counters_.output_bytes += (after.y_beats - before.y_beats) * geometry_.y_rows() * kBeatBytes;
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
  counters.array_busy_cycles = total(tile.array_beats);
  counters.idle_cycles = {{"no_job", tile.wait_no_job},
                          {"first_load", tile.wait_first_load},
                          {"load", tile.wait_load},
                          {"codes", tile.wait_codes},
                          {"scales", tile.wait_scales},
                          {"partial_sums", tile.wait_psum},
                          {"results", tile.wait_results}};
  counters.special = tile.special;
  counters.saturated = tile.saturated;
  return counters;
}

std::unique_ptr<TileDevice> make_cycle_device(const Configuration& configuration,
                                              const DeviceOptions& options) {
  return std::make_unique<ClockedDevice>(std::make_unique<TileModel>(configuration), options);
}

}  // namespace rivulet
