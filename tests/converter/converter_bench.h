// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Bench of the precision converter: requests and words in, beats out.
//
// Beside the comparison with the cycle model in every cycle (tb/block), every beat that the link
// accepts is compared with the functional model, and the counters at the end with the totals of
// what was asked for.

#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sw_model/numerics/pack.h"
#include "tb/block/block_bench.h"
#include "tb/converter/converter_block_ports.h"
#include "tb/converter/converter_traffic.h"

namespace rivulet {

// `Config` names a verilated model: Top, kLinkBits, name().
template <typename Config>
class ConverterBench {
 public:
  static constexpr int kLinkBits = Config::kLinkBits;
  static constexpr std::uint32_t kWordCodes = kLinkBits / 2;

  struct Stalls {
    Stall request = Stall::never();
    Stall word = Stall::never();
    Stall beat = Stall::never();
  };

  ConverterBench(std::uint64_t seed, const Stalls& stalls)
      : bench_(Config::name(), verilated<ConverterBlock, typename Config::Top>(),
               std::make_unique<ConverterCycle>(kLinkBits),
               {stall_in_or(stalls.request), stall_in_or(stalls.word), stall_out_or(stalls.beat)},
               seed, {.max_idle_cycles = 1000}),
        random_(seed) {
    start_traffic();
  }

  // Queues a request for codes.size() codes. `expected` are the codes as delivered; by default
  // those of the numerics library.
  void submit(const ReadRequest& request, std::span<const std::int8_t> codes) {
    std::vector<std::int8_t> expected;
    if (request.tier != Tier::kQ0) {
      for (const std::int8_t code : codes) {
        expected.push_back(view_code(code, request.tier, request.view));
      }
    }
    submit(request, codes, expected);
  }
  void submit(const ReadRequest& request, std::span<const std::int8_t> codes,
              std::span<const std::int8_t> expected) {
    traffic_->add(request, codes, [this] { return static_cast<std::int8_t>(random_.below(256)); });
    const auto tier = static_cast<std::size_t>(request.tier);
    totals_.codes[tier] += codes.size();
    if (request.tier == Tier::kQ0) return;
    const std::vector<std::uint64_t> packed = pack_codes(expected, request.tier, kLinkBits);
    constexpr std::size_t kWords = kLinkBits / 64;
    for (std::size_t first = 0; first < packed.size(); first += kWords) {
      const auto begin = packed.begin() + static_cast<std::ptrdiff_t>(first);
      expected_.push_back({.beat = {begin, begin + kWords},
                           .last = first + kWords == packed.size(),
                           .tier = request.tier});
    }
    totals_.beats[tier] += packed.size() / kWords;
    expected_beats_ += packed.size() / kWords;
  }

  // Runs until every beat has been delivered and every request accepted.
  void run() { bench_.run(*traffic_); }
  // Up to so many cycles, then a reset: all that was queued is forgotten.
  void run_and_reset(unsigned cycles) {
    bench_.run_and_reset(*traffic_, cycles);
    start_traffic();
    expected_beats_ -= expected_.size();
    expected_.clear();
    totals_ = {};
    beat_cycles_.clear();
  }
  bool finish() {
    Scoreboard& scoreboard = bench_.scoreboard();
    scoreboard.channel("beat").expect(expected_beats_);
    scoreboard.channel("totals").expect(1);
    bench_.idle(4);
    const ConverterCounters counters = bench_.counters();
    scoreboard.channel("totals").compare(BlockStatus<ConverterBlock>{totals_},
                                         BlockStatus<ConverterBlock>{counters});
    return bench_.finish();
  }

  std::uint64_t expected_beats() const { return expected_beats_; }
  // When the link accepted each beat, and when the first request was accepted.
  const std::vector<std::uint64_t>& beat_cycles() const { return beat_cycles_; }
  std::uint64_t first_request_cycle() const { return first_request_cycle_; }

 private:
  struct Beat {
    std::vector<std::uint64_t> beat;
    bool last = false;
    Tier tier = Tier::kQ0;

    bool operator==(const Beat& other) const { return beat == other.beat && last == other.last; }
    // Words, and the codes that they hold.
    friend std::string hex(const Beat& value) {
      std::string text = fmt::format("q{}:", bits_per_code(value.tier));
      const auto codes = static_cast<std::size_t>(kLinkBits / bits_per_code(value.tier));
      for (const std::int8_t code : unpack_codes(value.beat, codes, value.tier)) {
        text += fmt::format(" {}", static_cast<int>(code));
      }
      return text + (value.last ? " last" : "");
    }
  };

  void start_traffic() {
    traffic_ = std::make_unique<ConverterTraffic>(kLinkBits);
    traffic_->on_request = [this](const ReadRequest& request) {
      if (++requests_accepted_ == 1) first_request_cycle_ = bench_.cycle();
      bench_.scoreboard().note([request] { return "accepted " + describe(request); });
    };
    traffic_->on_beat = [this](const ConverterOutputs& out) { receive(out); };
  }
  void receive(const ConverterOutputs& out) {
    beat_cycles_.push_back(bench_.cycle());
    const Beat want = expected_.front();
    expected_.pop_front();
    bench_.scoreboard().channel("beat").compare(
        want, Beat{.beat = out.beat, .last = out.beat_last, .tier = want.tier});
    bench_.scoreboard().note([want] { return "beat " + hex(want); });
  }

  BlockBench<ConverterBlock> bench_;
  Random random_;
  std::unique_ptr<ConverterTraffic> traffic_;
  std::deque<Beat> expected_;
  std::uint64_t expected_beats_ = 0;
  std::uint64_t requests_accepted_ = 0;
  std::uint64_t first_request_cycle_ = 0;
  ConverterCounters totals_;
  std::vector<std::uint64_t> beat_cycles_;
};

}  // namespace rivulet
