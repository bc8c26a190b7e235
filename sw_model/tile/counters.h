// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What a tile did: cycles, link beats, bytes by class, MACs by precision, idle cycles by cause,
// flags.
//
// Bytes are counted each time they move; a model without a clock leaves cycles, beats and idle
// cycles at 0. Counters only grow.

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sw_model/interfaces/stream.h"
#include "sw_model/numerics/view.h"

namespace rivulet {

// One value per width of the codes that stream, indexed by Stream.
constexpr std::array<const char*, 4> kStreamNames{"bf16", "q2", "q4", "q8"};
using PerStream = std::array<uint64_t, kStreamNames.size()>;

// Bytes of codes and BF16 values, by what they are.
struct ByKind {
  uint64_t weights = 0;
  uint64_t kv = 0;

  uint64_t& of(Kind kind) { return kind == Kind::kKv ? kv : weights; }
  uint64_t total() const { return weights + kv; }
  ByKind& operator+=(const ByKind& other) {
    weights += other.weights;
    kv += other.kv;
    return *this;
  }
  friend bool operator==(const ByKind&, const ByKind&) = default;
};

struct Counters {
  uint64_t jobs = 0;               // matrix products
  uint64_t cycles = 0;             // clock cycles while a job was waited for
  uint64_t array_busy_cycles = 0;  // the array consumed codes
  uint64_t link_busy_cycles = 0;   // a link beat moved
  uint64_t link_beats = 0;

  PerStream macs{};          // multiply-accumulates that reached an output
  PerStream weight_bytes{};  // codes and BF16 values of kind FFN, as delivered
  PerStream kv_bytes{};      // the same of kind KV
  ByKind stored_bytes;       // what the jobs read, each code and value once a job, as stored
  ByKind fetched_bytes;      // what moved over the memory port for it, whole words and beats
  uint64_t scale_bytes = 0;
  uint64_t activation_bytes = 0;  // stationary tiles
  uint64_t output_bytes = 0;

  std::map<std::string, uint64_t> idle_cycles;  // of the array, by cause
  uint64_t special = 0;                         // accumulate steps with an Inf or NaN operand
  uint64_t saturated = 0;                       // accumulators that became Inf

  Counters& operator+=(const Counters& other);
  uint64_t total_macs() const;
  friend bool operator==(const Counters&, const Counters&) = default;
};

nlohmann::json to_json(const Counters& counters);

}  // namespace rivulet
