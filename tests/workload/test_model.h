// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Small models with random weights, in memory and as a folder on disk.

#include <filesystem>

#include "sw_model/workload/model_config.h"
#include "sw_model/workload/model_weights.h"
#include "sw_model/workload/safetensors.h"

namespace rivulet {

// Two layers, 24 words, blocks of 8 with sub-blocks of 4, at most 64 positions.
ModelConfig small_config();

// Every tensor of a model, normally distributed from `seed`.
TensorFile random_weights_file(const ModelConfig& config, uint64_t seed);
ModelWeights random_weights(const ModelConfig& config, uint64_t seed);

// config.json, vocab.json (words w0, w1, ..., w<mask>, ...), weights and two evaluation tasks,
// "one" and "two", of six queries each in three contexts. The answers are no right answers.
void write_model_folder(const std::filesystem::path& folder, const ModelConfig& config,
                        uint64_t seed);

// An empty folder below the temporary one that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace rivulet
