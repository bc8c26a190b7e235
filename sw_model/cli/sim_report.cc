// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/sim_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "sw_model/common/text.h"

namespace rivulet {

namespace {

double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// 1234567 as 1,234,567.
std::string grouped(uint64_t value) {
  const std::string digits = fmt::format("{}", value);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string listed(const PerStream& values) {
  std::vector<std::string> parts;
  for (size_t i = values.size(); i-- > 0;) {
    if (values[i] != 0) parts.push_back(fmt::format("{} {}", kStreamNames[i], grouped(values[i])));
  }
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string traffic(const char* what, uint64_t stored, uint64_t fetched) {
  return fmt::format("{}: {} stored, {} fetched ({:.2f} times)", what, grouped(stored),
                     grouped(fetched), ratio(fetched, stored));
}

std::string line(const char* name, const std::string& value) {
  return fmt::format("  {:<17} {}\n", name, value);
}

std::string idle(const Counters& counters) {
  std::vector<std::string> parts;
  for (const auto& [cause, cycles] : counters.idle_cycles) {
    parts.push_back(fmt::format("{} {}", cause, grouped(cycles)));
  }
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

double SimReport::array_utilization() const {
  return ratio(counters.array_busy_cycles, counters.cycles);
}

double SimReport::link_utilization() const {
  return ratio(counters.link_busy_cycles, counters.cycles);
}

double SimReport::kilohertz() const {
  return device_seconds > 0 ? static_cast<double>(counters.cycles) / device_seconds / 1000 : 0;
}

nlohmann::json to_json(const SimReport& report) {
  return {{"target", report.target},
          {"config", report.configuration.name},
          {"seed", report.seed},
          {"model", valid_utf8(report.model)},
          {"tier", report.tier},
          {"task", valid_utf8(report.task)},
          {"prompt", valid_utf8(report.prompt)},
          {"text", valid_utf8(report.text)},
          {"golden_text", valid_utf8(report.golden_text)},
          {"right_text", valid_utf8(report.right_text)},
          {"tokens", report.tokens},
          {"tokens_equal", report.tokens_equal},
          {"ended", report.ended},
          {"forwards",
           {{"prefill", report.decode.prefill_forwards},
            {"block", report.decode.block_forwards},
            {"sub_block", report.decode.sub_block_forwards},
            {"completion", report.decode.completion_forwards}}},
          {"blocks", report.decode.blocks},
          {"words_compared", report.words_compared},
          {"words_expected", report.words_expected},
          {"counters", to_json(report.counters)},
          {"array_utilization", report.array_utilization()},
          {"link_utilization", report.link_utilization()},
          {"fetched_per_stored",
           ratio(report.counters.fetched_bytes.total(), report.counters.stored_bytes.total())},
          {"simulated_khz", report.kilohertz()},
          {"wall_seconds", report.seconds},
          {"device_seconds", report.device_seconds},
          {"trace", valid_utf8(report.trace_file)},
          {"repeat", report.repeat}};
}

std::string to_text(const SimReport& report) {
  const Counters& counters = report.counters;
  const bool clocked = counters.cycles != 0;
  std::string text = "\nsummary\n";
  text += line("target",
               fmt::format("{}, configuration {} ({} lanes x {} positions), seed {}", report.target,
                           report.configuration.name, report.configuration.lanes,
                           report.configuration.positions, report.seed));
  text +=
      line("answer", fmt::format("{} tokens, {}; {} of {} equal to the golden decode",
                                 report.tokens, report.ended ? "ended by EOS" : "cut at the limit",
                                 report.tokens_equal, report.tokens));
  if (!report.task.empty()) {
    text += line("task", report.text == report.right_text
                             ? fmt::format("{}: the answer is right", report.task)
                             : fmt::format("{}: the right answer is: {}", report.task,
                                           printable(report.right_text)));
  }
  text +=
      line("forwards", fmt::format("prefill {}, block {}, sub-block {}, completion {}; {} blocks",
                                   report.decode.prefill_forwards, report.decode.block_forwards,
                                   report.decode.sub_block_forwards,
                                   report.decode.completion_forwards, report.decode.blocks));
  text += line("output words",
               report.words_expected == 0
                   ? "the golden model itself: nothing to compare"
                   : fmt::format("{} of {} expected compared, all equal",
                                 grouped(report.words_compared), grouped(report.words_expected)));
  text += line("MACs", listed(counters.macs));
  text += line("bytes", fmt::format("weights {}", listed(counters.weight_bytes)));
  text += line("", fmt::format("keys and values {}", listed(counters.kv_bytes)));
  text +=
      line("", traffic("weights", counters.stored_bytes.weights, counters.fetched_bytes.weights));
  text += line("", traffic("keys and values", counters.stored_bytes.kv, counters.fetched_bytes.kv));
  text +=
      line("", fmt::format("scales {}, activations {}, outputs {}", grouped(counters.scale_bytes),
                           grouped(counters.activation_bytes), grouped(counters.output_bytes)));
  if (clocked) {
    text += line("cycles",
                 fmt::format("{} in {} jobs", grouped(counters.cycles), grouped(counters.jobs)));
    text += line(
        "utilization",
        fmt::format("array {:.1f} %, link {:.1f} % ({} beats), {:.1f} MACs a cycle of {}",
                    100 * report.array_utilization(), 100 * report.link_utilization(),
                    grouped(counters.link_beats), ratio(counters.total_macs(), counters.cycles),
                    report.configuration.peak_macs_per_cycle()));
    text += line("idle cycles", idle(counters));
    text += line("simulation", fmt::format("{:.1f} kHz", report.kilohertz()));
  }
  text += line("flags", fmt::format("{} special operands, {} saturations",
                                    grouped(counters.special), grouped(counters.saturated)));
  text += line("wall time", fmt::format("{:.1f} s, {:.1f} s of it in the tile", report.seconds,
                                        report.device_seconds));
  text += line("repeat with", report.repeat);
  return text;
}

}  // namespace rivulet
