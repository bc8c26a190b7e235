// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/scoreboard.h"

#include <fmt/format.h>

#include "sw_model/common/message.h"
#include "tb/options.h"
#include "tb/report.h"

namespace rivulet {

void Channel::fail(const std::string& expected, const std::string& got,
                   const std::string& expected_decoded, const std::string& got_decoded) {
  ++mismatches_;
  if (scoreboard_->errors_++ > 0) return;
  print_error("MISMATCH in {}, cycle {}: {} (value {} of this channel)\n",
              scoreboard_->context_.name, *scoreboard_->context_.cycle, name_, compared_ - 1);
  print_error("  expected {}  {}\n  got      {}  {}\n", expected, expected_decoded, got,
              got_decoded);
  scoreboard_->print_context();
}

Channel& Scoreboard::channel(const std::string& name) {
  Channel& channel = channels_[name];
  channel.scoreboard_ = this;
  channel.name_ = name;
  return channel;
}

void Scoreboard::note(std::function<std::string()> text) {
  if (history_.size() == kHistory) history_.pop_front();
  history_.emplace_back(*context_.cycle, std::move(text));
}

void Scoreboard::error(const std::string& what) {
  if (errors_++ > 0) return;
  print_error("ERROR in {}, cycle {}: {}\n", context_.name, *context_.cycle, what);
  print_context();
}

void Scoreboard::print_context() {
  print_error("  last {} transactions:\n", history_.size());
  for (const auto& [cycle, text] : history_) print_error("    @{} {}\n", cycle, text());
  const std::string command = options().repeat_command(report().current_test(), context_.seed);
  const std::uint64_t cycle = *context_.cycle;
  print_error("  repeat: {}\n", command);
  print_error("  waves:  {} --trace --trace-start {} --trace-stop {} --trace-simulation {}\n",
              command, cycle < 200 ? 0 : cycle - 200, cycle + 50, context_.simulation);
}

bool Scoreboard::finish() {
  std::uint64_t total = 0;
  for (const auto& [name, channel] : channels_) {
    total += channel.compared_;
    report().add_compared(name, channel.compared_);
    if (ok() && channel.compared_ != channel.expected_) {
      error(fmt::format("channel {}: {} values compared, {} expected", name, channel.compared_,
                        channel.expected_));
    }
  }
  if (ok() && total == 0) error("nothing was compared");
  if (errors_ > 1) print_error("  {} errors in all\n", errors_);
  return ok();
}

}  // namespace rivulet
