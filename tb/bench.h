// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// A bench: one verilated model, its handshake ports, a scoreboard and a watchdog. See tb/README.md.
//
//   Bench<Vfoo> bench("foo", seed, {.max_cycles = 10'000});
//   auto& in = bench.source<64>("in", Stall::random(0.3), top.in_valid_i, top.in_ready_o,
//   top.in_i); auto& out = bench.sink("out", Stall::never(), top.out_valid_o, top.out_ready_i,
//   receive); bench.reset(); bench.run([&] { return out.transfers() == n; }, [&] { compare every
//   output with the model }); EXPECT_TRUE(bench.finish());

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tb/options.h"
#include "tb/random.h"
#include "tb/report.h"
#include "tb/scoreboard.h"
#include "tb/simulation.h"
#include "tb/sink.h"
#include "tb/source.h"
#include "tb/watchdog.h"

namespace rivulet {

struct BenchLimits {
  std::uint64_t max_cycles = 1'000'000;
  std::uint64_t max_idle_cycles = 1'000;  // without a transfer on any port
};

template <typename Top>
class Bench {
 public:
  Bench(std::string name, std::uint64_t seed, BenchLimits limits = {})
      : simulation_(seed),
        random_(seed),
        scoreboard_({std::move(name), seed, &simulation_.cycle(), simulation_.number()}),
        watchdog_(limits.max_cycles, limits.max_idle_cycles) {}

  Top& top() { return simulation_.top(); }
  Random& random() { return random_; }
  Scoreboard& scoreboard() { return scoreboard_; }
  std::uint64_t cycle() const { return simulation_.cycle(); }

  // Ports live as long as the bench. The order of adding is the order of driving.
  template <unsigned N, typename Signal>
  Source<N>& source(std::string name, Stall stall, CData& valid, const CData& ready,
                    Signal& payload) {
    return source_with<N>(std::move(name), std::move(stall), valid, ready,
                          [&payload](const Bits<N>& word) { write_port(payload, word); });
  }
  template <unsigned N>
  Source<N>& source_with(std::string name, Stall stall, CData& valid, const CData& ready,
                         typename Source<N>::Write write) {
    return add(std::make_unique<Source<N>>(std::move(name), std::move(stall), valid, ready,
                                           std::move(write)));
  }
  Sink& sink(std::string name, Stall stall, const CData& valid, CData& ready,
             std::function<void()> receive) {
    return add(std::make_unique<Sink>(std::move(name), std::move(stall), valid, ready,
                                      std::move(receive)));
  }

  // Holds reset for some cycles. Words that wait in sources are forgotten.
  void reset(unsigned cycles = 3) {
    top().rst_ni = 0;
    for (unsigned i = 0; i < cycles; ++i) {
      for (auto& port : ports_) port->reset(random_);
      simulation_.settle();
      simulation_.edge();
    }
    top().rst_ni = 1;
  }

  // Whether there is a point in going on: no mismatch, no violated assertion, no time-out.
  bool running() const { return !timed_out_ && scoreboard_.ok() && !simulation_.failed(); }

  // One clock cycle. `check` is called with the outputs settled and before the edge.
  template <typename Check>
  void cycle(Check&& check) {
    for (auto& port : ports_) port->drive(random_);
    simulation_.settle();
    check();
    bool progress = false;
    for (auto& port : ports_) progress = port->sample() || progress;
    if (const auto reason = watchdog_.tick(progress)) time_out(*reason);
    simulation_.edge();
    if (simulation_.failed() && scoreboard_.ok()) {
      scoreboard_.error("an assertion of the RTL was violated, see above");
    }
  }
  // Cycles until `done`, or until there is no point in going on.
  template <typename Done, typename Check>
  void run(Done&& done, Check&& check) {
    while (running() && !done()) cycle(check);
  }

  // To be called once, at the end. Returns whether everything was as expected.
  bool finish() {
    report().add_simulation(simulation_.cycle());
    const bool counts_ok = scoreboard_.finish();
    return counts_ok && !timed_out_ && !simulation_.failed();
  }

 private:
  template <typename P>
  P& add(std::unique_ptr<P> port) {
    P& reference = *port;
    ports_.push_back(std::move(port));
    return reference;
  }
  void time_out(const std::string& reason) {
    timed_out_ = true;
    report().set_timed_out();
    std::string states;
    for (const auto& port : ports_) states += "\n    " + port->state();
    scoreboard_.error("TIME-OUT, " + reason + "; handshakes:" + states);
  }

  Simulation<Top> simulation_;
  Random random_;
  Scoreboard scoreboard_;
  Watchdog watchdog_;
  std::vector<std::unique_ptr<Port>> ports_;
  bool timed_out_ = false;
};

}  // namespace rivulet
