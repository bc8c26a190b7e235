// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The decode loop: prefill, threshold unmasking, block cache, completion.
//
//   prefill     whole blocks of the prompt, one forward each, committed
//   per block   what remains of the prompt, then MASK; sub-blocks from left to right:
//     while the sub-block holds a MASK: one forward; every masked position of the sub-block with a
//     probability above the threshold takes its token, and the most probable one always does
//   completion  one forward of the finished block, committed, before the next block opens
//
// A forward runs the whole block; with `sub_block_cache` only the sub-block, once the block cache
// exists and the first position of the sub-block is known. Decoding ends when no MASK is left
// before the first EOS of the answer, with the block that holds token `max_tokens`, or with the
// last block that the model has positions for. Nothing is read after that, so the last block is not
// completed. The blocks that an earlier run left in the model are kept as far as they begin the new
// prompt. An empty or too long prompt throws InputError; NaN in the logits throws
// std::runtime_error.

#include <functional>
#include <vector>

#include "sw_model/workload/language_model.h"

namespace rivulet {

constexpr double kMostThreshold = 1e9;

struct DecodeOptions {
  double threshold = 0.9;        // above 1: one token per forward
  size_t max_tokens = 64;        // of the answer
  bool sub_block_cache = false;  // short forwards
};

struct DecodeCounts {
  size_t prefill_forwards = 0;    // blocks of the prompt run in this call
  size_t block_forwards = 0;      // whole block, with predictions
  size_t sub_block_forwards = 0;  // one sub-block, with predictions
  size_t completion_forwards = 0;
  size_t blocks = 0;  // opened

  size_t forwards() const {
    return prefill_forwards + block_forwards + sub_block_forwards + completion_forwards;
  }
};

struct DecodeResult {
  std::vector<int> tokens;  // without the EOS
  bool ended = false;       // by an EOS
  DecodeCounts counts;
};

// Called while decoding, both optional.
struct DecodeObserver {
  std::function<void(std::span<const int>)> on_text;    // the answer grew by these tokens
  std::function<void(const DecodeCounts&)> on_forward;  // after every forward
};

class Decoder {
 public:
  // The model must outlive the decoder and must not be used by anyone else.
  Decoder(LanguageModel& model, const DecodeOptions& options, DecodeObserver observer = {});

  DecodeResult run(std::span<const int> prompt);

 private:
  void prefill(std::span<const int> prompt);
  void denoise(size_t sub_block);
  std::vector<Prediction> predict(size_t begin, size_t end);
  void unmask(std::span<const Prediction> predictions, size_t begin);
  void complete();
  void report_text(bool last);
  void report_forward();
  // Answer tokens from its start to the first MASK, EOS or limit.
  std::vector<int> known_answer() const;
  bool ended() const;

  LanguageModel& model_;
  DecodeOptions options_;
  DecodeObserver observer_;
  std::vector<int> prefix_;  // what the model holds
  std::vector<int> block_;   // the active block
  size_t prompt_size_ = 0;
  bool block_cached_ = false;
  size_t reported_ = 0;
  DecodeCounts counts_;
};

}  // namespace rivulet
