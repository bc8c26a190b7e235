// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/clocked_device.h"

#include <numeric>
#include <stdexcept>
#include <utility>

#include "sw_model/tile/golden_product.h"
#include "sw_model/tile/tile_model.h"

namespace rivulet {
namespace {

constexpr uint64_t kQuadBytes = TileGeometry::kQuad * sizeof(Bf16);

uint64_t total(const PerStream& values) {
  return std::accumulate(values.begin(), values.end(), uint64_t{0});
}

}  // namespace

ClockedDevice::ClockedDevice(std::unique_ptr<ClockedTile> tile, const DeviceOptions& options)
    : tile_(std::move(tile)),
      geometry_(tile_->configuration()),
      queue_(geometry_, Padding::kZero),
      stalls_(options.stall_in, options.stall_out, options.seed),
      driver_(*tile_, stalls_, {.max_cycles = options.max_cycles}) {}

JobId ClockedDevice::submit(TileJob job) {
  check_job(job);
  const Counters product = product_counters(job.product);
  const JobId id = queue_.add(std::move(job));
  counters_.jobs += 1;
  for (size_t i = 0; i < product.macs.size(); ++i) counters_.macs[i] += product.macs[i];
  counters_.stored_bytes += product.stored_bytes;
  count(queue_.last_schedule());
  return id;
}

// What the reads of a job bring over the memory port and the link, whole words and beats.
void ClockedDevice::count(const TileSchedule& schedule) {
  for (const TileSchedule::Read& entry : schedule.reads()) {
    const TileRead& read = entry.command;
    if (read.empty()) continue;
    const uint64_t w_bytes = geometry_.w_beats(read) * geometry_.stream_values() * sizeof(Bf16);
    const auto stream = static_cast<size_t>(read.bf16 ? Stream::kBf16 : stream_of(read.tier));
    (read.kind == Kind::kKv ? counters_.kv_bytes : counters_.weight_bytes)[stream] +=
        geometry_.link_beats(read) * geometry_.lanes() + w_bytes;
    counters_.fetched_bytes.of(read.kind) +=
        geometry_.words(read) * geometry_.word_codes() + w_bytes;
  }
}

void ClockedDevice::wait(JobId id) {
  if (id >= queue_.size()) throw std::logic_error("wait for a job that was not submitted");
  if (queue_.done(id)) return;
  while (!queue_.done(id)) driver_.step(queue_);
  if (queue_.done()) driver_.idle(1);  // until the last result beat is counted
}

Counters ClockedDevice::counters() const {
  Counters counters = counters_;
  const TileCounters tile = tile_->counters();
  counters.cycles = driver_.cycles();
  counters.array_busy_cycles = total(tile.array_beats);
  counters.link_beats = total(tile.converter.beats) + tile.w_beats;
  counters.link_busy_cycles = counters.link_beats;
  counters.scale_bytes = tile.scale_beats * kQuadBytes;
  counters.activation_bytes = tile.x_beats * geometry_.x_values() * sizeof(Bf16);
  counters.output_bytes = tile.y_beats * geometry_.y_rows() * kQuadBytes;
  counters.idle_cycles = {{"no_job", tile.wait_no_job},   {"first_load", tile.wait_first_load},
                          {"load", tile.wait_load},       {"codes", tile.wait_codes},
                          {"scales", tile.wait_scales},   {"partial_sums", tile.wait_psum},
                          {"results", tile.wait_results}, {"carry", tile.carry_beats}};
  counters.special = tile.special;
  counters.saturated = tile.saturated;
  return counters;
}

std::unique_ptr<TileDevice> make_cycle_device(const Configuration& configuration,
                                              const DeviceOptions& options) {
  return std::make_unique<ClockedDevice>(std::make_unique<TileModel>(configuration), options);
}

}  // namespace rivulet
