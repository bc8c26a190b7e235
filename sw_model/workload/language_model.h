// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A block-diffusion language model as the decode loop sees it.
//
// The model holds the keys and values of a prefix of whole blocks, and of the active block behind
// it (the block cache). Tokens of the active block see the prefix and the whole active block. A
// masked position predicts its own token (no shift). Calls that break these rules throw
// std::logic_error, and so does a block beyond config().usable_positions().

#include <cstddef>
#include <span>
#include <vector>

#include "sw_model/workload/model_config.h"

namespace rivulet {

struct Prediction {
  int token = 0;          // the most probable token; never the mask
  float probability = 0;  // its softmax probability
};

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;

  virtual const ModelConfig& config() const = 0;

  // Tokens in the prefix, a multiple of the block size.
  virtual size_t prefix_length() const = 0;

  // Keeps the first `length` tokens of the prefix, whole blocks, and forgets everything else.
  virtual void rewind(size_t length) = 0;

  // Runs `tokens` at [begin, begin + size) of the active block and puts their keys and values into
  // the block cache. Without the whole block in the cache, it must be the whole block. Returns one
  // prediction per token, or none if `predict` is false (the last layer then stops early).
  virtual std::vector<Prediction> forward(std::span<const int> tokens, size_t begin,
                                          bool predict) = 0;

  // The active block, as last run, becomes part of the prefix.
  virtual void commit() = 0;
};

}  // namespace rivulet
