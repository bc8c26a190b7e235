// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Exact match of a model on a task: an answer counts if every token of it is the expected one.
//
// Queries of one context run one after the other on one model, so that the blocks of the context
// are run once. The score does not depend on the number of threads.

#include <functional>
#include <memory>
#include <vector>

#include "sw_model/workload/decoder.h"
#include "sw_model/workload/eval_set.h"
#include "sw_model/workload/vocabulary.h"

namespace rivulet {

struct Interval {
  double low = 0;
  double high = 1;
};

// Wilson score interval of a proportion at 95 %; n = 0 gives [0, 1].
Interval wilson(size_t hits, size_t n);

struct Answer {
  std::vector<int> tokens;
  bool ended = false;
  bool hit = false;
};

struct Score {
  size_t n = 0;
  size_t hits = 0;
  size_t forwards = 0;  // with predictions, whole block or sub-block
  size_t blocks = 0;
  double seconds = 0;           // wall
  std::vector<Answer> answers;  // of the queries, in their order
};

// Two runs of the same queries, query by query.
struct Comparison {
  size_t n = 0;
  size_t lost = 0;       // exact in the first alone
  size_t gained = 0;     // exact in the second alone
  size_t identical = 0;  // answers
  double change = 0;     // of exact match, second - first
  double half = 1;       // half of its 95 % interval (normal, paired)
};

// Of the same number of queries, else std::invalid_argument.
Comparison compare(const Score& first, const Score& second);

using MakeModel = std::function<std::unique_ptr<LanguageModel>()>;

// Runs all queries; one model per thread. An exception of any query is thrown again.
Score evaluate(const std::vector<EvalQuery>& queries, const Vocabulary& vocabulary,
               const MakeModel& make_model, const DecodeOptions& options, size_t threads);

}  // namespace rivulet
