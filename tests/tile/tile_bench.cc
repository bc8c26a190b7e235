// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/tile_bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "sw_model/common/device_error.h"
#include "sw_model/numerics/fp32.h"
#include "tb/options.h"
#include "tb/report.h"

namespace rivulet {
namespace {

std::string decode_fp32(uint64_t bits) {
  return fmt::format("{:.9g}", fp32_from_bits(static_cast<uint32_t>(bits)));
}
std::string decode_bf16(uint64_t bits) {
  return fmt::format("{:.5g}", to_float(Bf16{static_cast<uint16_t>(bits)}));
}

// A result beat, as a value that the scoreboard can print.
struct Beat {
  const OutputBeat& beat;
  bool operator==(const Beat& other) const { return beat == other.beat; }
};
std::string hex(const Beat& result) {
  std::string text;
  for (size_t r = 0; r < result.beat.y.size(); ++r) {
    text += fmt::format("{:016X} {:08X} | ", result.beat.y[r], fmt::join(result.beat.acc[r], " "));
  }
  return text + (result.beat.last ? "last" : "");
}

// Cycles that have a name.
uint64_t named_cycles(const TileCounters& c) {
  return std::accumulate(c.array_beats.begin(), c.array_beats.end(), uint64_t{0}) + c.carry_beats +
         c.wait_no_job + c.wait_first_load + c.wait_load + c.wait_codes + c.wait_scales +
         c.wait_psum + c.wait_results;
}

std::vector<Stall> all_ports(const Stall& in, const Stall& out) {
  std::vector<Stall> stalls(kTilePorts, stall_in_or(in));
  stalls[kOutputPort] = stall_out_or(out);
  return stalls;
}

// One slow port, the others free.
std::vector<Stall> slow_port(size_t port) {
  std::vector<Stall> stalls = all_ports(Stall::never(), Stall::never());
  stalls[port] = Stall::random(0.9);
  return stalls;
}

}  // namespace

const std::vector<StallPattern>& stall_patterns() {
  static const std::vector<StallPattern> patterns{
      {"free", all_ports(Stall::never(), Stall::never())},
      {"random 0.3", all_ports(Stall::random(0.3), Stall::random(0.3))},
      {"slow inputs", all_ports(Stall::random(0.9), Stall::never())},
      {"slow output", all_ports(Stall::never(), Stall::random(0.9))},
      {"bursts", all_ports(Stall::bursts(9, 7), Stall::alternate())},
      {"slow loads", slow_port(static_cast<size_t>(TileStream::kLoad))},
      {"slow reads", slow_port(static_cast<size_t>(TileStream::kRead))},
      {"slow passes", slow_port(static_cast<size_t>(TileStream::kPass))},
      {"slow rows", slow_port(static_cast<size_t>(TileStream::kX))},
      {"slow words", slow_port(static_cast<size_t>(TileStream::kWord))},
      {"slow BF16 stream", slow_port(static_cast<size_t>(TileStream::kW))},
      {"slow scales", slow_port(static_cast<size_t>(TileStream::kScale))},
  };
  return patterns;
}

TileBench::TileBench(const TileVariant& variant, const StallPattern& pattern, uint64_t seed,
                     TileFaults faults)
    : variant_(variant),
      ticket_(seed),
      scoreboard_(
          {.name = fmt::format("tile '{}', stalls: {}", variant.configuration.name, pattern.name),
           .seed = seed,
           .cycle = &cycle_,
           .simulation = ticket_.number()}),
      model_(variant.configuration),
      seed_(seed),
      stalls_(pattern.stalls, seed) {
  dut_ = make_rtl_tile(variant.configuration, {.seed = seed, .waves = ticket_.waves()});
  if (faults.rtl != nullptr) dut_ = faults.rtl(std::move(dut_));
  auto lockstep = std::make_unique<LockstepBlock<TileBlock>>(*dut_, model_, scoreboard_, cycle_);
  lockstep_ = lockstep.get();
  tile_ = std::move(lockstep);
  if (faults.both != nullptr) tile_ = faults.both(std::move(tile_));
  const BlockLimits limits{.max_cycles = options().max_cycles.value_or(0), .max_idle_cycles = 3000};
  driver_ = std::make_unique<TileDriver>(*tile_, stalls_, limits, IdlePayload::kNoise, seed);
}

bool TileBench::run_and_reset(const TileStreams& streams, uint64_t cycles) {
  TileDriver driver(*tile_, stalls_, {.max_cycles = cycles}, IdlePayload::kNoise, seed_);
  try {
    run_streams(driver, variant_.configuration, streams);
    scoreboard_.error("the streams were done before the reset");
  } catch (const TimeOut&) {
    tile_->reset();
  } catch (const Mismatch& error) {
    scoreboard_.error(error.what());
  }
  return scoreboard_.ok();
}

bool TileBench::run_and_reset(const std::vector<OwnedProduct>& products, uint64_t cycles) {
  TileProgram program(variant_.configuration, Padding::kPoison);
  for (const OwnedProduct& product : products) program.add(product.product());
  return run_and_reset(program.streams(), cycles);
}

bool TileBench::run(const RandomCommands& commands) {
  const std::vector<OutputBeat>& expected = commands.results();
  Channel& results = scoreboard_.channel("result beats");
  results.expect(expected.size());
  try {
    const std::vector<OutputBeat> beats =
        run_streams(*driver_, variant_.configuration, commands.streams());
    for (size_t i = 0; i < std::min(beats.size(), expected.size()); ++i) {
      if (!results.compare(Beat{expected[i]}, Beat{beats[i]})) {
        throw Mismatch(fmt::format("result beat {}", i));
      }
    }
  } catch (const TimeOut& error) {
    report().set_timed_out();
    scoreboard_.error(error.what());
  } catch (const Mismatch& error) {
    scoreboard_.error(error.what());
  }
  return scoreboard_.ok();
}

bool TileBench::run(const std::vector<OwnedProduct>& products) {
  TileProgram program(variant_.configuration, Padding::kPoison);
  for (const OwnedProduct& product : products) {
    program.add(product.product());
    scoreboard_.note([text = product.describe()] { return text; });
    for (const char* channel : {"acc", "y"}) {
      scoreboard_.channel(channel).expect(product.shape.m * product.shape.n);
    }
  }
  scoreboard_.channel("counts").expect(2);
  try {
    const TileCounters before = dut_->counters();
    const std::vector<OutputBeat> beats =
        run_streams(*driver_, variant_.configuration, program.streams());
    compare(products, program, beats);
    const TileCounters after = dut_->counters();
    // The last updates are counted before their outputs leave.
    AccumulateCounts counts;
    for (const OwnedProduct& product : products) {
      const GemmResult golden = product.golden();
      counts.special += golden.counts.special;
      counts.saturated += golden.counts.saturated;
    }
    scoreboard_.channel("counts").compare(counts.special, after.special - before.special);
    scoreboard_.channel("counts").compare(counts.saturated, after.saturated - before.saturated);
  } catch (const TimeOut& error) {
    report().set_timed_out();
    scoreboard_.error(error.what());
  } catch (const Mismatch& error) {
    scoreboard_.error(error.what());
  }
  return scoreboard_.ok();
}

void TileBench::compare(const std::vector<OwnedProduct>& products, const TileProgram& program,
                        const std::vector<OutputBeat>& beats) {
  const std::vector<GemmResult> results = program.results(beats);
  for (size_t p = 0; p < products.size(); ++p) {
    const GemmResult golden = products[p].golden();
    for (size_t i = 0; i < golden.acc.size(); ++i) {
      const bool same =
          scoreboard_.channel("acc").compare(uint64_t{fp32_bits(golden.acc[i])},
                                             uint64_t{fp32_bits(results[p].acc[i])}, decode_fp32) &&
          scoreboard_.channel("y").compare(uint64_t{golden.y[i].bits},
                                           uint64_t{results[p].y[i].bits}, decode_bf16);
      if (!same) {
        throw Mismatch(fmt::format("output [{}, {}] of product {} ({})", i / products[p].shape.n,
                                   i % products[p].shape.n, p, products[p].describe()));
      }
    }
  }
}

bool TileBench::finish() {
  try {
    if (scoreboard_.ok()) driver_->idle(50);
  } catch (const Mismatch& error) {
    scoreboard_.error(error.what());
  }
  const TileCounters counters = dut_->counters();
  scoreboard_.channel("named cycles").expect(1);
  scoreboard_.channel("named cycles").compare(counters.cycles, named_cycles(counters));
  lockstep_->expect(cycle_);
  report().add_simulation(cycle_);
  return scoreboard_.finish();
}

}  // namespace rivulet
