// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/op_view.h"

#include <stdexcept>
#include <string>

#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

const std::vector<std::string> kKinds{"kv", "ffn"};
const std::vector<std::string> kTiers{"8", "4", "2", "0"};
const std::vector<std::string> kRoundings{"trunc", "rhu"};

}  // namespace

const std::vector<KeySpec>& view_keys() {
  static const std::vector<KeySpec> keys{
      {"kind", "ffn", "kv or ffn: selects the default of round"},
      {"clamp", "128", "q4: clamp to +-clamp first, 1 to 128"},
      {"shift", "4", "q4: arithmetic right shift, 0 to 5"},
      {"theta_p", "24", "q2: +1 from this code on, -256 to 255"},
      {"theta_n", "-25", "q2: -1 down from this code, below theta_p"},
      {"round", "", "q4: trunc or rhu (default: trunc for kv, rhu for ffn)"}};
  return keys;
}

Tier tier_of(const OpKeys& keys) {
  return tier_from_bits(std::stoi(kTiers[keys.choice("tier", kTiers)]));
}

ReadRequest read_of(const OpKeys& keys) {
  ReadRequest read;
  read.kind = keys.choice("kind", kKinds) == 0 ? Kind::kKv : Kind::kFfn;
  read.tier = tier_of(keys);
  read.view = default_view(read.kind);
  if (!keys.text("round").empty()) {
    read.view.rounding =
        keys.choice("round", kRoundings) == 0 ? Q4Rounding::kTruncate : Q4Rounding::kHalfUp;
  }
  read.view.clamp = keys.integer("clamp", 1, 128);
  read.view.shift = keys.integer("shift", 0, 5);
  read.view.theta_p = keys.integer("theta_p", -256, 255);
  read.view.theta_n = keys.integer("theta_n", -256, 255);
  try {
    check_view(read.view);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
  return read;
}

}  // namespace rivulet
