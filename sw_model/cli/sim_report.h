// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The summary of `rivulet sim`, as JSON and as text.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sw_model/interfaces/configuration.h"
#include "sw_model/tile/counters.h"
#include "sw_model/workload/decoder.h"

namespace rivulet {

struct SimReport {
  std::string target;
  Configuration configuration;
  uint64_t seed = 0;
  std::string model;
  std::string tier;  // of the projections
  std::string task;  // empty: the prompt was given
  std::string prompt;
  std::string text;
  std::string golden_text;
  std::string right_text;  // of the task
  size_t tokens = 0;
  size_t tokens_equal = 0;  // to the golden decode, from the start
  bool ended = false;
  DecodeCounts decode;
  Counters counters;
  uint64_t words_compared = 0;
  uint64_t words_expected = 0;
  double seconds = 0;         // wall, the whole decode
  double device_seconds = 0;  // wall, inside the device under test
  std::string trace_file;
  std::string repeat;

  double array_utilization() const;
  double link_utilization() const;
  double kilohertz() const;
};

nlohmann::json to_json(const SimReport& report);
std::string to_text(const SimReport& report);

}  // namespace rivulet
