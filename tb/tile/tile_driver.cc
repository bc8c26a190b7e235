// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/tile/tile_driver.h"

#include <fmt/format.h>

#include "sw_model/common/device_error.h"
#include "sw_model/tile/stream_traffic.h"

namespace rivulet {
namespace {

// Noise is a ring of random words, longer than the widest payload (4 * 128 bytes).
constexpr size_t kNoiseWords = 1024;
constexpr size_t kNoiseStarts = kNoiseWords - 64;

}  // namespace

RandomStalls::RandomStalls(double stall_in, double stall_out, uint64_t seed)
    : stall_in_(stall_in), stall_out_(stall_out), random_(seed) {}

bool RandomStalls::stalled(size_t port, uint64_t /*transfers*/) {
  const double probability = port == kOutputPort ? stall_out_ : stall_in_;
  return probability > 0 && random_.chance(probability);
}

TileDriver::TileDriver(ClockedTile& tile, TileStalls& stalls, TileLimits limits,
                       IdlePayload idle_payload, uint64_t noise_seed)
    : tile_(tile),
      geometry_(tile.configuration()),
      stalls_(stalls),
      limits_(limits),
      idle_payload_(idle_payload),
      random_(noise_seed),
      noise_(kNoiseWords) {
  for (uint64_t& word : noise_) word = random_.next();
  for (size_t stream = 0; stream < kTileStreams; ++stream) make_noise(stream);
  rest_ = inputs_;
}

void TileDriver::make_noise(size_t stream) {
  const uint64_t* noise = &noise_[random_.below(kNoiseStarts)];
  const auto flag = [noise](int bit) { return (noise[0] >> bit & 1) != 0; };
  const auto field = [noise](size_t word, uint64_t mask) {
    return static_cast<int>(noise[word] & mask);
  };
  switch (static_cast<TileStream>(stream)) {
    case TileStream::kLoad:
      noise_load_ = {.from_store = flag(0),
                     .keep = flag(1),
                     .slot = field(1, 65535),
                     .align_w = field(2, 31),
                     .rows = field(3, 255),
                     .lanes = field(4, 255)};
      inputs_.load = &noise_load_;
      break;
    case TileStream::kRead:
      noise_read_ = {.bf16 = flag(0),
                     .tier = static_cast<Tier>(field(1, 3)),
                     .kind = static_cast<Kind>(field(2, 1)),
                     .view = {},
                     .transpose = flag(1),
                     .align_w = field(3, 31),
                     .lanes = field(4, 255),
                     .columns = field(5, 65535)};
      inputs_.read = &noise_read_;
      break;
    case TileStream::kPass:
      noise_pass_ = {.next_tile = flag(0),
                     .job_first = flag(1),
                     .first = flag(2),
                     .last = flag(3),
                     .rewind = flag(4),
                     .free = flag(5),
                     .base = field(1, 65535)};
      inputs_.pass = &noise_pass_;
      break;
    case TileStream::kX:
      inputs_.x = reinterpret_cast<const Bf16*>(noise);
      break;
    case TileStream::kWord:
      inputs_.word = reinterpret_cast<const int8_t*>(noise);
      break;
    case TileStream::kW:
      inputs_.w = reinterpret_cast<const Bf16*>(noise);
      break;
    case TileStream::kScale:
      inputs_.scale = noise[0];
      break;
  }
}

void TileDriver::rest(size_t stream) {
  if (idle_payload_ == IdlePayload::kNoise) {
    make_noise(stream);
    return;
  }
  switch (static_cast<TileStream>(stream)) {
    case TileStream::kLoad:
      inputs_.load = rest_.load;
      break;
    case TileStream::kRead:
      inputs_.read = rest_.read;
      break;
    case TileStream::kPass:
      inputs_.pass = rest_.pass;
      break;
    case TileStream::kX:
      inputs_.x = rest_.x;
      break;
    case TileStream::kWord:
      inputs_.word = rest_.word;
      break;
    case TileStream::kW:
      inputs_.w = rest_.w;
      break;
    case TileStream::kScale:
      inputs_.scale = rest_.scale;
      break;
  }
}

void TileDriver::offer(TileTraffic& traffic) {
  for (size_t stream = 0; stream < kTileStreams; ++stream) {
    Port& port = ports_[stream];
    if (port.offering) continue;
    port.offering = traffic.offer(static_cast<TileStream>(stream), inputs_) &&
                    !stalls_.stalled(stream, port.transfers);
    inputs_.valid[stream] = port.offering;
    if (!port.offering) rest(stream);
  }
  inputs_.y_ready = !stalls_.stalled(kOutputPort, ports_[kOutputPort].transfers);
}

bool TileDriver::take(TileTraffic& traffic, const TileOutputs& outputs) {
  bool progress = false;
  for (size_t stream = 0; stream < kTileStreams; ++stream) {
    Port& port = ports_[stream];
    if (!port.offering || !outputs.ready[stream]) continue;
    port.offering = false;
    ++port.transfers;
    traffic.accepted(static_cast<TileStream>(stream));
    progress = true;
  }
  if (outputs.y_valid && inputs_.y_ready) {
    ++ports_[kOutputPort].transfers;
    traffic.arrived({.y = outputs.y, .acc = outputs.acc, .last = outputs.y_last});
    progress = true;
  }
  return progress;
}

std::string TileDriver::handshakes(const TileOutputs& outputs) const {
  std::string text;
  for (size_t i = 0; i < kTilePorts; ++i) {
    const bool output = i == kOutputPort;
    text +=
        fmt::format("\n    {:5} valid {:d} ready {:d}, {} transferred",
                    output ? "y" : kTileStreamNames[i], output ? outputs.y_valid : inputs_.valid[i],
                    output ? inputs_.y_ready : outputs.ready[i], ports_[i].transfers);
  }
  return text;
}

void TileDriver::check_progress(bool progress, const TileOutputs& outputs) {
  idle_cycles_ = progress ? 0 : idle_cycles_ + 1;
  if (limits_.max_cycles != 0 && cycles_ >= limits_.max_cycles) {
    throw TimeOut(fmt::format("TIME-OUT in cycle {}: not done within {} cycles; handshakes:{}",
                              cycles_, limits_.max_cycles, handshakes(outputs)));
  }
  if (idle_cycles_ >= limits_.max_idle_cycles) {
    throw TimeOut(
        fmt::format("TIME-OUT in cycle {}: no transfer on any port for {} cycles; handshakes:{}",
                    cycles_, idle_cycles_, handshakes(outputs)));
  }
}

void TileDriver::step(TileTraffic& traffic) {
  offer(traffic);
  const TileOutputs& outputs = tile_.step(inputs_);
  ++cycles_;
  check_progress(take(traffic, outputs), outputs);
}

std::vector<OutputBeat> TileDriver::run(const TileStreams& streams) {
  for (size_t stream = 0; stream < kTileStreams; ++stream) ports_[stream].offering = false;
  idle_cycles_ = 0;
  StreamTraffic traffic(geometry_, streams);
  while (!traffic.done()) step(traffic);
  return traffic.take_beats();
}

void TileDriver::idle(uint64_t cycles) {
  for (size_t stream = 0; stream < kTileStreams; ++stream) {
    ports_[stream].offering = false;
    inputs_.valid[stream] = false;
    rest(stream);
  }
  for (uint64_t i = 0; i < cycles; ++i) {
    for (size_t stream = 0; stream < kTileStreams; ++stream) make_noise(stream);
    inputs_.y_ready = !stalls_.stalled(kOutputPort, ports_[kOutputPort].transfers);
    const TileOutputs& outputs = tile_.step(inputs_);
    ++cycles_;
    if (outputs.y_valid) {
      throw Mismatch(fmt::format("cycle {}: an output beat after the last one", cycles_));
    }
  }
}

}  // namespace rivulet
