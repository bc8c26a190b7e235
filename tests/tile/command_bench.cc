// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/command_bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <utility>

#include "sw_model/tile/device_error.h"
#include "tb/options.h"
#include "tb/report.h"

namespace rivulet {
namespace {

constexpr size_t kResults = kTileStreams;
constexpr uint64_t kMaxIdleCycles = 3000;
constexpr size_t kNoiseWords = 1024;
constexpr size_t kNoiseStarts = kNoiseWords - 64;

// A result beat, as a value that the scoreboard can print.
struct Result {
  const ResultBeat& beat;
  bool operator==(const Result& other) const { return beat == other.beat; }
};
std::string hex(const Result& result) {
  std::string text;
  for (size_t r = 0; r < result.beat.y.size(); ++r) {
    text += fmt::format("{:016X} {:08X} | ", result.beat.y[r], fmt::join(result.beat.acc[r], " "));
  }
  return text + (result.beat.last ? "last" : "");
}

RtlTileOptions rtl_options(uint64_t seed, const WaveFile& waves) {
  RtlTileOptions rtl;
  rtl.seed = seed;
  if (options().trace) {
    rtl.trace_file = waves.name;
    rtl.trace_start = options().trace_start;
    rtl.trace_stop = options().trace_stop;
  }
  return rtl;
}

// Every cycle has one name.
uint64_t named_cycles(const TileCounters& c) {
  return std::accumulate(c.array_beats.begin(), c.array_beats.end(), uint64_t{0}) + c.carry_beats +
         c.wait_no_job + c.wait_first_load + c.wait_load + c.wait_codes + c.wait_scales +
         c.wait_psum + c.wait_results;
}

}  // namespace

CommandBench::CommandBench(const TileVariant& variant, const char* pattern,
                           std::vector<Stall> stalls, uint64_t seed)
    : variant_(variant),
      scoreboard_({.name = fmt::format("commands on tile '{}', stalls: {}",
                                       variant.configuration.name, pattern),
                   .seed = seed,
                   .cycle = &cycle_}),
      dut_(variant.make(variant.configuration, rtl_options(seed, waves_))),
      model_(variant.configuration),
      lockstep_(*dut_, model_, scoreboard_, cycle_),
      stalls_(std::move(stalls)),
      random_(seed),
      noise_(kNoiseWords) {
  for (uint64_t& word : noise_) word = random_.next();
}

void CommandBench::make_noise(size_t stream) {
  const uint64_t* noise = &noise_[random_.below(kNoiseStarts)];
  const auto bit = [&](size_t i) { return (noise[0] >> i & 1) != 0; };
  const auto number = [&](size_t i, int mask) { return static_cast<int>(noise[i]) & mask; };
  switch (static_cast<TileStream>(stream)) {
    case TileStream::kLoad:
      noise_load_ = {bit(0), bit(1), number(1, 65535), number(2, 31), number(3, 255), number(4, 255)};
      inputs_.load = &noise_load_;
      break;
    case TileStream::kRead:
      noise_read_ = {.bf16 = bit(0),
                     .tier = static_cast<Tier>(number(1, 3)),
                     .view = {},
                     .transpose = bit(1),
                     .align_w = number(2, 31),
                     .lanes = number(3, 255),
                     .columns = number(4, 65535)};
      inputs_.read = &noise_read_;
      break;
    case TileStream::kPass:
      noise_pass_ = {bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), number(1, 65535)};
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

void CommandBench::present(const RandomCommands& commands, size_t stream) {
  const size_t i = index_[stream];
  const Configuration& c = variant_.configuration;
  switch (static_cast<TileStream>(stream)) {
    case TileStream::kLoad:
      inputs_.load = &commands.loads()[i];
      break;
    case TileStream::kRead:
      inputs_.read = &commands.reads()[i];
      break;
    case TileStream::kPass:
      inputs_.pass = &commands.passes()[i];
      break;
    case TileStream::kX:
      inputs_.x = &commands.x()[i * static_cast<size_t>(c.x_values)];
      break;
    case TileStream::kWord:
      inputs_.word = &commands.words()[i * 4 * static_cast<size_t>(c.lanes)];
      break;
    case TileStream::kW:
      inputs_.w = &commands.w()[i * static_cast<size_t>(c.side_lanes / 2)];
      break;
    case TileStream::kScale:
      inputs_.scale = commands.scales()[i];
      break;
  }
}

void CommandBench::offer(const RandomCommands& commands,
                         const std::array<size_t, kPorts>& counts) {
  for (size_t stream = 0; stream < kTileStreams; ++stream) {
    if (offering_[stream]) continue;
    offering_[stream] =
        index_[stream] < counts[stream] && !stalls_[stream].next(random_, transfers_[stream]);
    inputs_.valid[stream] = offering_[stream];
    if (offering_[stream]) {
      present(commands, stream);
    } else {
      make_noise(stream);
    }
  }
  inputs_.y_ready = !stalls_[kResults].next(random_, transfers_[kResults]);
}

bool CommandBench::take(const TileOutputs& outputs, const RandomCommands& commands) {
  bool progress = false;
  const auto moved = [&](size_t port) {
    ++index_[port];
    ++transfers_[port];
    progress = true;
  };
  for (size_t stream = 0; stream < kTileStreams; ++stream) {
    if (!offering_[stream] || !outputs.ready[stream]) continue;
    offering_[stream] = false;
    moved(stream);
  }
  if (outputs.y_valid && inputs_.y_ready) {
    if (index_[kResults] >= commands.results().size()) {
      scoreboard_.error("a result beat after the last one");
    } else {
      const ResultBeat got{outputs.y, outputs.acc, outputs.y_last};
      scoreboard_.channel("results").compare(Result{commands.results()[index_[kResults]]},
                                              Result{got});
    }
    moved(kResults);
  }
  return progress;
}

bool CommandBench::done(const std::array<size_t, kPorts>& counts) const {
  for (size_t port = 0; port < kPorts; ++port) {
    if (index_[port] < counts[port]) return false;
  }
  return true;
}

bool CommandBench::run(const RandomCommands& commands, uint64_t max_cycles) {
  const Configuration& c = variant_.configuration;
  const std::array<size_t, kPorts> counts{
      commands.loads().size(),
      commands.reads().size(),
      commands.passes().size(),
      commands.x().size() / static_cast<size_t>(c.x_values),
      commands.words().size() / (4 * static_cast<size_t>(c.lanes)),
      commands.w().size() / static_cast<size_t>(c.side_lanes / 2),
      commands.scales().size(),
      commands.results().size()};
  index_ = {};
  offering_ = {};
  for (size_t stream = 0; stream < kTileStreams; ++stream) make_noise(stream);
  uint64_t idle = 0;
  uint64_t cycles = 0;
  const uint64_t results_before = transfers_[kResults];
  while (!done(counts) && cycles < max_cycles) {
    offer(commands, counts);
    ++cycles;
    try {
      idle = take(lockstep_.step(inputs_), commands) ? 0 : idle + 1;
    } catch (const Mismatch& error) {
      scoreboard_.error(error.what());
    }
    if (idle > kMaxIdleCycles) {
      scoreboard_.error(fmt::format("no transfer on any port for {} cycles; transferred {} of {}",
                                    idle, fmt::join(index_, " "), fmt::join(counts, " ")));
    }
    if (!scoreboard_.ok()) return false;
  }
  const bool finished = done(counts);
  scoreboard_.channel("results").expect(finished ? commands.results().size()
                                                 : transfers_[kResults] - results_before);
  if (!finished) lockstep_.reset();
  return true;
}

bool CommandBench::finish() {
  offering_ = {};
  inputs_.valid = {};
  for (int i = 0; i < 40 && scoreboard_.ok(); ++i) {
    for (size_t stream = 0; stream < kTileStreams; ++stream) make_noise(stream);
    inputs_.y_ready = random_.chance(0.5);
    try {
      if (lockstep_.step(inputs_).y_valid) scoreboard_.error("a result beat after the last one");
    } catch (const Mismatch& error) {
      scoreboard_.error(error.what());
    }
  }
  const TileCounters counters = dut_->counters();
  scoreboard_.channel("named cycles").expect(1);
  scoreboard_.channel("named cycles").compare(counters.cycles, named_cycles(counters));
  lockstep_.expect(cycle_);
  report().add_simulation(cycle_);
  return scoreboard_.finish();
}

}  // namespace rivulet
