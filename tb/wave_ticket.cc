// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/wave_ticket.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "sw_model/common/message.h"
#include "tb/options.h"
#include "tb/report.h"

namespace rivulet {
namespace {

// What became of the one file of this process.
struct WaveFile {
  bool in_use = false;        // by a simulation that is alive
  bool claimed = false;       // by any simulation so far
  bool kept = false;          // shows a failure: nothing is written any more
  std::string summary;        // of the simulation that the file shows
  WaveResult longest_missed;  // of those that did not reach the window
};

WaveFile& wave_file() {
  static WaveFile instance;
  return instance;
}

std::uint64_t next_number(std::uint64_t seed) {
  static std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> count;
  return ++count[{report().current_test(), seed}];
}

std::string file_name() {
  std::string given = options().trace.value_or("");
  if (!given.empty()) return given;
  return std::filesystem::path(options().program).filename().concat(".fst").string();
}

// Unless it is something else than a file: a link is written through.
void remove_file(const std::string& name) {
  std::error_code error;
  if (std::filesystem::is_regular_file(std::filesystem::symlink_status(name, error))) {
    std::filesystem::remove(name, error);
  }
}

}  // namespace

WaveTicket::WaveTicket(std::uint64_t seed) : seed_(seed), number_(next_number(seed)) {
  WaveFile& file = wave_file();
  if (!options().trace || file.in_use || file.kept) return;
  if (options().trace_simulation.value_or(number_) != number_) return;
  if (!std::exchange(file.claimed, true)) remove_file(file_name());  // of an earlier run
  shown_ = file.in_use = true;
}

WaveOptions WaveTicket::waves() {
  if (!shown_) return {};
  return {.file = file_name(),
          .start = options().trace_start,
          .stop = options().trace_stop,
          .on_close = [this](const WaveResult& result) {
            result_ = result;
            if (result.signal != 0) print_error("{}\n", wave_message(result));
          }};
}

WaveTicket::~WaveTicket() {
  if (!shown_) return;
  WaveFile& file = wave_file();
  file.in_use = false;
  const bool failed = report().current_failed() || std::uncaught_exceptions() > 0;
  if (result_.file.empty()) return;  // it had no cycle
  if (failed) {
    file.kept = true;
    // Not those of an earlier simulation, which passed.
    if (!result_.written()) remove_file(result_.file);
  }
  if (failed || result_.written()) {
    file.summary =
        fmt::format("{}\n       simulation {} of {}, seed {}{}", wave_message(result_), number_,
                    report().current_test(), seed_, failed ? ", which failed" : "");
  } else if (result_.cycles >= file.longest_missed.cycles) {
    file.longest_missed = result_;
  }
}

std::string wave_summary() {
  const WaveFile& file = wave_file();
  if (!options().trace) return "";
  if (!file.summary.empty()) return file.summary;
  if (!file.longest_missed.file.empty()) {
    return wave_message(file.longest_missed) + " (the longest of all simulations)";
  }
  return fmt::format("waves: none in {}: no simulation was run{}", file_name(),
                     options().trace_simulation ? " that has this number" : "");
}

}  // namespace rivulet
