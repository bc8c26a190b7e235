// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/model_folder.h"

#include <fmt/format.h>

#include <system_error>
#include <vector>

#include "sw_model/workload/file.h"
#include "sw_model/workload/input_error.h"
#include "sw_model/workload/safetensors.h"

namespace rivulet {

namespace {

std::filesystem::path find_weights(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const std::filesystem::path& path : files_of(folder)) {
    if (path.extension() == ".safetensors") found.push_back(path);
  }
  if (found.size() != 1) {
    throw InputError(fmt::format("{}: holds {} .safetensors files, exactly one is needed",
                                 folder.string(), found.size()));
  }
  return found.front();
}

}  // namespace

ModelFolder read_model_folder(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw InputError(fmt::format("{}: no such model folder", path.string()));
  }
  const auto config_path = path / "config.json";
  const auto vocabulary_path = path / "vocab.json";
  const auto weights_path = find_weights(path);
  ModelFolder folder{
      .path = path,
      .config = parse_model_config(read_text_file(config_path), config_path.string()),
      .vocabulary = Vocabulary::parse(read_text_file(vocabulary_path), vocabulary_path.string()),
      .weights = {}};
  if (folder.vocabulary.size() != folder.config.vocab_size) {
    throw InputError(fmt::format("{}: {} words, vocab_size of {} is {}", vocabulary_path.string(),
                                 folder.vocabulary.size(), config_path.string(),
                                 folder.config.vocab_size));
  }
  folder.weights = std::make_shared<const ModelWeights>(
      take_weights(folder.config, read_safetensors(weights_path), weights_path.string()));
  return folder;
}

}  // namespace rivulet
