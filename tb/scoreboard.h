// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Compares values, counts the comparisons, and explains the first mismatch.
//
//   Channel& beat = scoreboard.channel("beat_o");
//   beat.compare(expected, got);                 // T needs ==, and hex(T) -> std::string
//   beat.compare(expected, got, decode);         // decode(T) -> std::string, shown beside the hex
//   beat.expect(32);                             // 32 more values were to be compared
//   bool passed = scoreboard.finish();           // no mismatch, and every count as expected
//
// A channel without an expected count, and a scoreboard that compared nothing, fail.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>

#include "tb/bits.h"

namespace rivulet {

class Scoreboard;

class Channel {
 public:
  template <typename T>
  bool compare(const T& expected, const T& got) {
    ++compared_;
    if (expected == got) return true;
    fail(hex(expected), hex(got), "", "");
    return false;
  }
  template <typename T, typename Decode>
  bool compare(const T& expected, const T& got, Decode&& decode) {
    ++compared_;
    if (expected == got) return true;
    fail(hex(expected), hex(got), decode(expected), decode(got));
    return false;
  }
  bool compare(std::uint64_t expected, std::uint64_t got) {
    return compare<std::uint64_t>(expected, got);
  }
  void expect(std::uint64_t values) { expected_ += values; }

 private:
  friend class Scoreboard;
  void fail(const std::string& expected, const std::string& got,
            const std::string& expected_decoded, const std::string& got_decoded);

  Scoreboard* scoreboard_ = nullptr;
  std::string name_;
  std::uint64_t compared_ = 0;
  std::uint64_t expected_ = 0;
  std::uint64_t mismatches_ = 0;
};

class Scoreboard {
 public:
  // What the message about a mismatch needs to know of the simulation.
  struct Context {
    std::string name;  // of the simulation
    std::uint64_t seed = 0;
    const std::uint64_t* cycle = nullptr;
    std::uint64_t simulation = 1;  // its number in this run, from 1
  };

  explicit Scoreboard(Context context) : context_(std::move(context)) {}
  Scoreboard(const Scoreboard&) = delete;
  Scoreboard& operator=(const Scoreboard&) = delete;

  // The channel of that name, made on first use; the reference stays valid.
  Channel& channel(const std::string& name);
  // Remembers a transaction for the message about the first mismatch. `text` is only called then.
  void note(std::function<std::string()> text);
  // An error that is not a comparison (an unexpected word, a queue not empty at the end).
  void error(const std::string& what);

  bool ok() const { return errors_ == 0; }
  // Closes the books: adds the counts to report() and returns whether all is well.
  bool finish();

 private:
  friend class Channel;
  void print_context();

  static constexpr std::size_t kHistory = 16;
  Context context_;
  std::map<std::string, Channel> channels_;
  std::deque<std::pair<std::uint64_t, std::function<std::string()>>> history_;
  std::uint64_t errors_ = 0;
};

}  // namespace rivulet
