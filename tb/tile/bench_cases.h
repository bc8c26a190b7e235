// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The cases of `make bench`.

#include <string>
#include <vector>

#include "sw_model/interfaces/configuration.h"
#include "tb/tile/bench_case.h"

namespace rivulet {

// Cases of one table; `total`: what their sum is called, empty: no sum.
struct BenchSet {
  std::string total = {};
  std::vector<BenchCase> cases = {};
};

// Every number of columns and rows, order and width, three jobs in a row; `quick`: those that take
// at most 2^17 cycles a job at full rate.
std::vector<BenchSet> matrix_cases(const Configuration& configuration, bool quick);
// The layers of Qwen2-1.5B, one job each; empty for groups other than 128.
std::vector<BenchSet> layer_cases(const Configuration& configuration);
// Rows of jobs that must keep the array busy; empty for groups other than 128.
std::vector<BenchSet> goal_cases(const Configuration& configuration);

}  // namespace rivulet
