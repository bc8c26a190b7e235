// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A model on disk: config.json, vocab.json, one .safetensors file and, optionally, eval/.
//
// Missing or inconsistent files throw InputError.

#include <filesystem>
#include <memory>

#include "sw_model/workload/model_config.h"
#include "sw_model/workload/model_weights.h"
#include "sw_model/workload/vocabulary.h"

namespace rivulet {

struct ModelFolder {
  std::filesystem::path path;
  ModelConfig config;
  Vocabulary vocabulary;
  std::shared_ptr<const ModelWeights> weights;

  std::filesystem::path eval_path() const { return path / "eval"; }
};

ModelFolder read_model_folder(const std::filesystem::path& path);

}  // namespace rivulet
