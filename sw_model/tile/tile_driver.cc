// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_driver.h"

#include <fmt/format.h>

#include "sw_model/tile/device_error.h"

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
      stalls_(stalls),
      limits_(limits),
      idle_payload_(idle_payload),
      random_(noise_seed),
      noise_(kNoiseWords) {
  for (uint64_t& word : noise_) word = random_.next();
  for (size_t stream = 0; stream < kTileStreams; ++stream) make_noise(stream);
}

void TileDriver::make_noise(size_t stream) {
  const uint64_t* noise = &noise_[random_.below(kNoiseStarts)];
  switch (static_cast<TileStream>(stream)) {
    case TileStream::kPass:
      noise_pass_.stream = static_cast<Stream>(noise[0] & 3);
      noise_pass_.transpose = (noise[0] & 4) != 0;
      noise_pass_.load = (noise[0] & 8) != 0;
      noise_pass_.first = (noise[0] & 16) != 0;
      noise_pass_.last = (noise[0] & 32) != 0;
      noise_pass_.align_w = static_cast<int>(noise[1] & 31);
      noise_pass_.rows = static_cast<int>(noise[2] & 255);
      noise_pass_.lanes = static_cast<int>(noise[3] & 255);
      noise_pass_.columns = static_cast<int>(noise[4] & 65535);
      inputs_.pass = &noise_pass_;
      break;
    case TileStream::kX:
      inputs_.x = noise[0];
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

void TileDriver::present(const TileProgram& program, size_t stream) {
  const size_t index = ports_[stream].index;
  switch (static_cast<TileStream>(stream)) {
    case TileStream::kPass:
      inputs_.pass = &program.passes()[index];
      break;
    case TileStream::kX:
      inputs_.x = program.x()[index];
      break;
    case TileStream::kWord:
      inputs_.word = &program.words()[index * program.geometry().word_codes()];
      break;
    case TileStream::kW:
      inputs_.w = &program.w()[index * program.geometry().stream_values()];
      break;
    case TileStream::kScale:
      inputs_.scale = program.scale()[index];
      break;
  }
}

void TileDriver::offer(const TileProgram& program) {
  for (size_t stream = 0; stream < kTileStreams; ++stream) {
    Port& port = ports_[stream];
    if (port.offering) continue;
    port.offering = port.index < port.count && !stalls_.stalled(stream, port.transfers);
    inputs_.valid[stream] = port.offering;
    if (port.offering) {
      present(program, stream);
    } else if (idle_payload_ == IdlePayload::kNoise) {
      make_noise(stream);
    }
  }
  inputs_.y_ready = !stalls_.stalled(kOutputPort, ports_[kOutputPort].transfers);
}

bool TileDriver::take(const TileOutputs& outputs) {
  bool progress = false;
  for (size_t stream = 0; stream < kTileStreams; ++stream) {
    Port& port = ports_[stream];
    if (!port.offering || !outputs.ready[stream]) continue;
    port.offering = false;
    ++port.index;
    ++port.transfers;
    progress = true;
  }
  if (outputs.y_valid && inputs_.y_ready) {
    beats_.push_back({.y = outputs.y, .acc = outputs.acc, .last = outputs.y_last});
    Port& port = ports_[kOutputPort];
    ++port.index;
    ++port.transfers;
    progress = true;
  }
  return progress;
}

std::string TileDriver::handshakes(const TileOutputs& outputs) const {
  std::string text;
  for (size_t i = 0; i < kTilePorts; ++i) {
    const bool output = i == kOutputPort;
    text +=
        fmt::format("\n    {:5} valid {:d} ready {:d}, {} of {} transferred",
                    output ? "y" : kTileStreamNames[i], output ? outputs.y_valid : inputs_.valid[i],
                    output ? inputs_.y_ready : outputs.ready[i], ports_[i].index, ports_[i].count);
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

std::vector<OutputBeat> TileDriver::run(const TileProgram& program) {
  const std::array<size_t, kTilePorts> counts{program.passes().size(), program.x().size(),
                                              program.word_count(),    program.w_beat_count(),
                                              program.scale().size(),  program.y_beat_count()};
  for (size_t i = 0; i < kTilePorts; ++i) {
    ports_[i].index = 0;
    ports_[i].count = counts[i];
    ports_[i].offering = false;
  }
  for (size_t stream = 0; stream < kTileStreams; ++stream) make_noise(stream);
  beats_.clear();
  beats_.reserve(program.y_beat_count());
  idle_cycles_ = 0;
  const auto done = [&] {
    for (const Port& port : ports_) {
      if (port.index < port.count) return false;
    }
    return true;
  };
  while (!done()) {
    offer(program);
    const TileOutputs& outputs = tile_.step(inputs_);
    ++cycles_;
    check_progress(take(outputs), outputs);
  }
  return std::move(beats_);
}

void TileDriver::idle(uint64_t cycles) {
  for (size_t stream = 0; stream < kTileStreams; ++stream) {
    ports_[stream].offering = false;
    inputs_.valid[stream] = false;
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
