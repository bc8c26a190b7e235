// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sw_model/workload/input_error.h"

namespace rivulet {

Decoder::Decoder(LanguageModel& model, const DecodeOptions& options, DecodeObserver observer)
    : model_(model), options_(options), observer_(std::move(observer)) {
  if (!(options.threshold >= 0)) {
    throw InputError(fmt::format("threshold {} is not a number >= 0", options.threshold));
  }
  if (options.max_tokens == 0) throw InputError("the token limit must be at least 1");
  model_.rewind(0);
}

DecodeResult Decoder::run(std::span<const int> prompt) {
  const ModelConfig& config = model_.config();
  if (prompt.empty()) throw InputError("the prompt is empty");
  if (prompt.size() >= config.usable_positions()) {
    throw InputError(fmt::format("the prompt has {} tokens, the model has room for {}",
                                 prompt.size(), config.usable_positions() - 1));
  }
  counts_ = {};
  reported_ = 0;
  prompt_size_ = prompt.size();
  prefill(prompt);
  block_.assign(prompt.begin() + static_cast<std::ptrdiff_t>(prefix_.size()), prompt.end());
  while (true) {
    block_.resize(config.block_size, config.mask_token);
    block_cached_ = false;
    ++counts_.blocks;
    for (size_t sub = 0; sub < config.block_size / config.sub_block_size && !ended(); ++sub) {
      denoise(sub);
    }
    if (ended() || known_answer().size() >= options_.max_tokens) break;
    if (prefix_.size() + 2 * config.block_size > config.usable_positions()) break;
    complete();
  }
  report_text(true);
  std::vector<int> answer = known_answer();
  return {std::move(answer), ended(), counts_};
}

void Decoder::prefill(std::span<const int> prompt) {
  const size_t block = model_.config().block_size;
  const size_t whole = prompt.size() / block * block;
  size_t kept = 0;
  while (kept + block <= std::min(whole, prefix_.size()) &&
         std::equal(prompt.begin() + static_cast<std::ptrdiff_t>(kept),
                    prompt.begin() + static_cast<std::ptrdiff_t>(kept + block),
                    prefix_.begin() + static_cast<std::ptrdiff_t>(kept))) {
    kept += block;
  }
  model_.rewind(kept);
  prefix_.resize(kept);
  for (; kept < whole; kept += block) {
    const auto tokens = prompt.subspan(kept, block);
    model_.forward(tokens, 0, false);
    model_.commit();
    prefix_.insert(prefix_.end(), tokens.begin(), tokens.end());
    ++counts_.prefill_forwards;
    report_forward();
  }
}

void Decoder::denoise(size_t sub_block) {
  const size_t size = model_.config().sub_block_size;
  const size_t begin = sub_block * size;
  const auto masked = [&] {
    const auto first = block_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = first + static_cast<std::ptrdiff_t>(size);
    return std::find(first, last, model_.config().mask_token) != last;
  };
  while (masked() && !ended()) {
    unmask(predict(begin, begin + size), begin);
    report_text(false);
    report_forward();
  }
}

std::vector<Prediction> Decoder::predict(size_t begin, size_t end) {
  const bool short_forward =
      options_.sub_block_cache && block_cached_ && block_[begin] != model_.config().mask_token;
  std::vector<Prediction> predictions;
  if (short_forward) {
    ++counts_.sub_block_forwards;
    predictions = model_.forward(std::span(block_).subspan(begin, end - begin), begin, true);
  } else {
    ++counts_.block_forwards;
    const std::vector<Prediction> all = model_.forward(block_, 0, true);
    block_cached_ = true;
    predictions.assign(all.begin() + static_cast<std::ptrdiff_t>(begin),
                       all.begin() + static_cast<std::ptrdiff_t>(end));
  }
  for (const Prediction& prediction : predictions) {
    if (std::isnan(prediction.probability) || prediction.token == model_.config().mask_token) {
      throw std::runtime_error("the model returned no usable prediction (NaN in the logits)");
    }
  }
  return predictions;
}

void Decoder::unmask(std::span<const Prediction> predictions, size_t begin) {
  const int mask = model_.config().mask_token;
  size_t best = predictions.size();
  for (size_t i = 0; i < predictions.size(); ++i) {
    if (block_[begin + i] == mask && (best == predictions.size() ||
                                      predictions[i].probability > predictions[best].probability)) {
      best = i;
    }
  }
  for (size_t i = 0; i < predictions.size(); ++i) {
    if (block_[begin + i] == mask &&
        (i == best || static_cast<double>(predictions[i].probability) > options_.threshold)) {
      block_[begin + i] = predictions[i].token;
    }
  }
}

void Decoder::complete() {
  model_.forward(block_, 0, false);
  model_.commit();
  prefix_.insert(prefix_.end(), block_.begin(), block_.end());
  block_.clear();
  ++counts_.completion_forwards;
  report_forward();
}

std::vector<int> Decoder::known_answer() const {
  std::vector<int> answer;
  const size_t size = prefix_.size() + block_.size();
  for (size_t i = prompt_size_; i < size && answer.size() < options_.max_tokens; ++i) {
    const int token = i < prefix_.size() ? prefix_[i] : block_[i - prefix_.size()];
    if (token == model_.config().mask_token || token == model_.config().eos_token) break;
    answer.push_back(token);
  }
  return answer;
}

bool Decoder::ended() const {
  const size_t next = prompt_size_ + known_answer().size();
  if (next < prefix_.size() || next >= prefix_.size() + block_.size()) return false;
  return block_[next - prefix_.size()] == model_.config().eos_token;
}

void Decoder::report_text(bool last) {
  if (!observer_.on_text) return;
  const std::vector<int> answer = known_answer();
  if (answer.size() > reported_ || last) {
    observer_.on_text(std::span(answer).subspan(reported_));
    reported_ = answer.size();
  }
}

void Decoder::report_forward() {
  if (observer_.on_forward) observer_.on_forward(counts_);
}

}  // namespace rivulet
