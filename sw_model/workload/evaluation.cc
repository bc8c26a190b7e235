// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/evaluation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace rivulet {

namespace {

using Batch = std::vector<const EvalQuery*>;  // one context

// Hands the batches to the threads and gathers their scores.
class Pool {
 public:
  Pool(const std::vector<EvalQuery>& queries, const Vocabulary& vocabulary,
       const MakeModel& make_model, const DecodeOptions& options)
      : queries_(queries), vocabulary_(vocabulary), make_model_(make_model), options_(options) {
    total_.answers.resize(queries.size());
    std::map<size_t, Batch> by_context;
    for (const EvalQuery& query : queries) by_context[query.context].push_back(&query);
    for (auto& [context, batch] : by_context) batches_.push_back(std::move(batch));
  }

  Score run(size_t threads) {
    std::vector<std::thread> workers;
    for (size_t i = 0; i < std::max<size_t>(threads, 1); ++i) {
      workers.emplace_back([this] { work(); });
    }
    for (std::thread& worker : workers) worker.join();
    if (error_) std::rethrow_exception(error_);
    return total_;
  }

 private:
  void work() {
    try {
      const std::unique_ptr<LanguageModel> model = make_model_();
      Decoder decoder(*model, options_);
      Score score;
      while (const Batch* batch = next()) {
        for (const EvalQuery* query : *batch) add(score, decoder, *query);
      }
      const std::lock_guard lock(mutex_);
      total_.n += score.n;
      total_.hits += score.hits;
      total_.forwards += score.forwards;
      total_.blocks += score.blocks;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
      next_ = batches_.size();
    }
  }

  const Batch* next() {
    const std::lock_guard lock(mutex_);
    return next_ < batches_.size() ? &batches_[next_++] : nullptr;
  }

  void add(Score& score, Decoder& decoder, const EvalQuery& query) {
    const DecodeResult result = decoder.run(vocabulary_.encode(query.prompt));
    score.n += 1;
    const bool hit = result.ended && result.tokens == vocabulary_.encode(query.answer);
    score.hits += hit ? 1 : 0;
    // Each query belongs to one thread.
    total_.answers[static_cast<size_t>(&query - queries_.data())] = {result.tokens, result.ended,
                                                                     hit};
    score.forwards += result.counts.block_forwards + result.counts.sub_block_forwards;
    score.blocks += result.counts.blocks;
  }

  const std::vector<EvalQuery>& queries_;
  const Vocabulary& vocabulary_;
  const MakeModel& make_model_;
  DecodeOptions options_;
  std::vector<Batch> batches_;
  std::mutex mutex_;
  size_t next_ = 0;
  Score total_;
  std::exception_ptr error_;
};

}  // namespace

Interval wilson(size_t hits, size_t n) {
  if (n == 0) return {};
  constexpr double kZ = 1.959964;  // two-sided 95 % quantile of the normal distribution
  const auto count = static_cast<double>(n);
  const double share = static_cast<double>(hits) / count;
  const double square = kZ * kZ / count;
  const double centre = (share + square / 2) / (1 + square);
  const double half =
      kZ / (1 + square) * std::sqrt(share * (1 - share) / count + square / (4 * count));
  return {.low = std::max(0.0, centre - half), .high = std::min(1.0, centre + half)};
}

Comparison compare(const Score& first, const Score& second) {
  Comparison result{.n = first.answers.size()};
  if (result.n == 0 || second.answers.size() != result.n) {
    throw std::invalid_argument("compare: two runs of the same queries, at least one");
  }
  for (size_t i = 0; i < result.n; ++i) {
    const Answer &a = first.answers[i], &b = second.answers[i];
    result.lost += a.hit && !b.hit ? 1 : 0;
    result.gained += !a.hit && b.hit ? 1 : 0;
    result.identical += a.ended == b.ended && a.tokens == b.tokens ? 1 : 0;
  }
  const auto n = static_cast<double>(result.n);
  const auto lost = static_cast<double>(result.lost), gained = static_cast<double>(result.gained);
  result.change = (gained - lost) / n;
  result.half = 1.959964 * std::sqrt(gained + lost - (gained - lost) * (gained - lost) / n) / n;
  return result;
}

Score evaluate(const std::vector<EvalQuery>& queries, const Vocabulary& vocabulary,
               const MakeModel& make_model, const DecodeOptions& options, size_t threads) {
  const auto began = std::chrono::steady_clock::now();
  Score score = Pool(queries, vocabulary, make_model, options).run(threads);
  score.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return score;
}

}  // namespace rivulet
