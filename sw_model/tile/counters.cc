// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/counters.h"

#include <nlohmann/json.hpp>
#include <numeric>

namespace rivulet {

namespace {

void add(PerStream& sum, const PerStream& other) {
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
}

uint64_t total(const PerStream& values) {
  return std::accumulate(values.begin(), values.end(), uint64_t{0});
}

nlohmann::json named(const PerStream& values) {
  nlohmann::json object = nlohmann::json::object();
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) object[kStreamNames[i]] = values[i];
  }
  return object;
}

nlohmann::json named(const ByKind& bytes) { return {{"weights", bytes.weights}, {"kv", bytes.kv}}; }

}  // namespace

Counters& Counters::operator+=(const Counters& other) {
  jobs += other.jobs;
  cycles += other.cycles;
  array_busy_cycles += other.array_busy_cycles;
  link_busy_cycles += other.link_busy_cycles;
  link_beats += other.link_beats;
  add(macs, other.macs);
  add(weight_bytes, other.weight_bytes);
  add(kv_bytes, other.kv_bytes);
  stored_bytes += other.stored_bytes;
  fetched_bytes += other.fetched_bytes;
  scale_bytes += other.scale_bytes;
  activation_bytes += other.activation_bytes;
  output_bytes += other.output_bytes;
  for (const auto& [cause, cycles_lost] : other.idle_cycles) idle_cycles[cause] += cycles_lost;
  special += other.special;
  saturated += other.saturated;
  return *this;
}

uint64_t Counters::total_macs() const { return total(macs); }

nlohmann::json to_json(const Counters& counters) {
  return {{"jobs", counters.jobs},
          {"cycles", counters.cycles},
          {"array_busy_cycles", counters.array_busy_cycles},
          {"link_busy_cycles", counters.link_busy_cycles},
          {"beats", counters.link_beats},
          {"macs", named(counters.macs)},
          {"bytes",
           {{"weights", named(counters.weight_bytes)},
            {"kv", named(counters.kv_bytes)},
            {"stored", named(counters.stored_bytes)},
            {"fetched", named(counters.fetched_bytes)},
            {"scales", counters.scale_bytes},
            {"activations", counters.activation_bytes},
            {"outputs", counters.output_bytes}}},
          {"idle_cycles", counters.idle_cycles},
          {"saturations", counters.saturated},
          {"flags", {{"special", counters.special}}}};
}

}  // namespace rivulet
