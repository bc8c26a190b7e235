// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Bench of the precision converter: requests and words in, beats out.
//
// Every output of the RTL is compared with the cycle model in every cycle, every beat that the link
// accepts with the functional model, and the counters at the end with the totals of what was asked
// for.

#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "sw_model/converter/converter_cycle.h"
#include "sw_model/numerics/pack.h"
#include "tb/bench.h"
#include "tests/converter/describe.h"

namespace rivulet {

// `Config` names a verilated model: Top, kLinkBits, name().
template <typename Config>
class ConverterBench {
 public:
  static constexpr int kLinkBits = Config::kLinkBits;
  static constexpr unsigned kWordBits = 4 * kLinkBits;
  static constexpr std::uint32_t kWordCodes = kLinkBits / 2;
  using Beat = Bits<kLinkBits>;

  struct Stalls {
    Stall request = Stall::never();
    Stall word = Stall::never();
    Stall beat = Stall::never();
  };

  ConverterBench(std::uint64_t seed, const Stalls& stalls, BenchLimits limits = {})
      : bench_(Config::name(), seed, limits),
        top_(bench_.top()),
        model_(kLinkBits),
        requests_(bench_.template source<RequestBits::kWidth>(
            "req", stall_in_or(stalls.request), top_.req_valid_i, top_.req_ready_o, top_.req_i)),
        words_(bench_.template source<kWordBits>(
            "word", stall_in_or(stalls.word), top_.word_valid_i, top_.word_ready_o, top_.word_i)),
        beats_(bench_.sink("beat", stall_out_or(stalls.beat), top_.beat_valid_o, top_.beat_ready_i,
                           [this] { receive(); })) {
    bench_.reset();
  }

  // Queues a request for codes.size() codes. `expected` are the codes as delivered; by default
  // those of the numerics library.
  void submit(ReadRequest request, std::span<const std::int8_t> codes) {
    std::vector<std::int8_t> expected;
    if (request.tier != Tier::kQ0) {
      for (const std::int8_t code : codes) {
        expected.push_back(view_code(code, request.tier, request.view));
      }
    }
    submit(request, codes, expected);
  }
  void submit(ReadRequest request, std::span<const std::int8_t> codes,
              std::span<const std::int8_t> expected) {
    request.codes = static_cast<std::uint32_t>(codes.size());
    requests_.push(bits_of(to_wire(request)));
    const auto tier = static_cast<std::size_t>(request.tier);
    totals_.codes[tier] += codes.size();
    if (request.tier == Tier::kQ0) return;

    for (std::size_t first = 0; first < codes.size(); first += kWordCodes) {
      Bits<kWordBits> word;
      for (std::size_t i = 0; i < kWordCodes; ++i) {  // noise beyond the last code
        const auto code = first + i < codes.size()
                              ? static_cast<std::uint8_t>(codes[first + i])
                              : static_cast<std::uint8_t>(bench_.random().below(256));
        word.set(static_cast<unsigned>(8 * i), 8, code);
      }
      words_.push(word);
    }
    const std::vector<std::uint64_t> packed = pack_codes(expected, request.tier, kLinkBits);
    const std::size_t count = packed.size() / Beat::kWords;
    totals_.beats[tier] += count;
    for (std::size_t beat = 0; beat < count; ++beat) {
      Expected entry{{}, beat + 1 == count, request.tier};
      for (unsigned i = 0; i < Beat::kWords; ++i) {
        entry.beat.set(64 * i, 64, packed[beat * Beat::kWords + i]);
      }
      expected_.push_back(entry);
    }
    expected_beats_ += count;
  }

  // Runs until every beat has been delivered and every request accepted, and a few cycles more.
  void run() {
    const auto check = [this] { compare_cycle(); };
    bench_.run([this] { return requests_.empty() && words_.empty() && expected_.empty(); }, check);
    for (int i = 0; i < 4 && bench_.running(); ++i) bench_.cycle(check);
  }
  void run_cycles(unsigned cycles) {
    for (unsigned i = 0; i < cycles && bench_.running(); ++i) {
      bench_.cycle([this] { compare_cycle(); });
    }
  }
  // Reset in the middle: all that was queued is forgotten.
  void reset() {
    bench_.reset();
    model_.reset();
    expected_beats_ -= expected_.size();
    expected_.clear();
    totals_ = ConverterCounters{};
    beat_cycles_.clear();
  }
  bool finish() {
    Scoreboard& scoreboard = bench_.scoreboard();
    for (const char* name :
         {"req_ready_o", "word_ready_o", "beat_valid_o", "beat_o", "beat_last_o", "counters_o"}) {
      scoreboard.channel(name).expect(cycles_);
    }
    scoreboard.channel("beat").expect(expected_beats_);
    scoreboard.channel("beat last").expect(expected_beats_);
    scoreboard.channel("totals").expect(1);
    scoreboard.channel("totals").compare(
        bits_of(totals_), read_port<CountersBits::kWidth>(top_.counters_o), describe_counters);
    return bench_.finish();
  }

  Bench<typename Config::Top>& bench() { return bench_; }
  std::uint64_t expected_beats() const { return expected_beats_; }
  // When the link accepted each beat, and when the first request was accepted.
  const std::vector<std::uint64_t>& beat_cycles() const { return beat_cycles_; }
  std::uint64_t first_request_cycle() const { return first_request_cycle_; }

 private:
  struct Expected {
    Beat beat;
    bool last = false;
    Tier tier = Tier::kQ0;
  };

  void compare_cycle() {
    ConverterInputs in;
    in.req_valid = top_.req_valid_i;
    in.req = from_wire(read_struct<wire::ReadReq>(top_.req_i));
    in.word_valid = top_.word_valid_i;
    in.word = {reinterpret_cast<const std::int8_t*>(top_.word_i.data()), kWordCodes};
    in.beat_ready = top_.beat_ready_i;
    const ConverterOutputs want = model_.step(in);

    ++cycles_;
    channels_.req_ready.compare(want.req_ready, top_.req_ready_o);
    channels_.word_ready.compare(want.word_ready, top_.word_ready_o);
    channels_.beat_valid.compare(want.beat_valid, top_.beat_valid_o);
    channels_.counters.compare(bits_of(want.counters),
                               read_port<CountersBits::kWidth>(top_.counters_o), describe_counters);
    // The payload means something only while valid.
    Beat want_beat;
    Beat got_beat;
    if (want.beat_valid) {
      for (unsigned i = 0; i < Beat::kWords; ++i) want_beat.set(64 * i, 64, want.beat[i]);
    }
    if (top_.beat_valid_o) got_beat = read_port<kLinkBits>(top_.beat_o);
    channels_.beat.compare(want_beat, got_beat);
    channels_.beat_last.compare(want.beat_valid && want.beat_last,
                                top_.beat_valid_o && top_.beat_last_o);
    if (in.req_valid && want.req_ready) {
      if (++requests_accepted_ == 1) first_request_cycle_ = bench_.cycle();
      bench_.scoreboard().note([request = in.req] { return "accepted " + describe(request); });
    }
  }

  void receive() {
    const auto beat = read_port<kLinkBits>(top_.beat_o);
    beat_cycles_.push_back(bench_.cycle());
    if (expected_.empty()) {
      bench_.scoreboard().error("a beat too many: " + hex(beat));
      return;
    }
    const Expected want = expected_.front();
    expected_.pop_front();
    bench_.scoreboard().channel("beat").compare(
        want.beat, beat, [&want](const Beat& value) { return decode(value, want.tier); });
    bench_.scoreboard().channel("beat last").compare(want.last, top_.beat_last_o);
    bench_.scoreboard().note([beat, want] {
      return fmt::format("beat {} last {}: {}", hex(beat), want.last, decode(beat, want.tier));
    });
  }

  static std::string decode(const Beat& beat, Tier tier) {
    std::vector<std::uint64_t> words;
    for (unsigned i = 0; i < Beat::kWords; ++i) words.push_back(beat.get(64 * i, 64));
    const auto codes = static_cast<std::size_t>(kLinkBits / bits_per_code(tier));
    std::string text = fmt::format("q{}:", bits_per_code(tier));
    for (const std::int8_t code : unpack_codes(words, codes, tier)) {
      text += fmt::format(" {}", static_cast<int>(code));
    }
    return text;
  }

  struct Channels {
    explicit Channels(Scoreboard& scoreboard)
        : req_ready(scoreboard.channel("req_ready_o")),
          word_ready(scoreboard.channel("word_ready_o")),
          beat_valid(scoreboard.channel("beat_valid_o")),
          beat(scoreboard.channel("beat_o")),
          beat_last(scoreboard.channel("beat_last_o")),
          counters(scoreboard.channel("counters_o")) {}
    Channel& req_ready;
    Channel& word_ready;
    Channel& beat_valid;
    Channel& beat;
    Channel& beat_last;
    Channel& counters;
  };

  Bench<typename Config::Top> bench_;
  typename Config::Top& top_;
  ConverterCycle model_;
  Source<RequestBits::kWidth>& requests_;
  Source<kWordBits>& words_;
  Sink& beats_;
  Channels channels_{bench_.scoreboard()};
  std::deque<Expected> expected_;
  std::uint64_t expected_beats_ = 0;
  std::uint64_t cycles_ = 0;
  std::uint64_t requests_accepted_ = 0;
  std::uint64_t first_request_cycle_ = 0;
  ConverterCounters totals_;
  std::vector<std::uint64_t> beat_cycles_;
};

}  // namespace rivulet
