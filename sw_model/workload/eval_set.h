// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The evaluation prompts that come with a model: <folder>/contexts.jsonl and <folder>/<task>.jsonl.
//
// contexts.jsonl: {"context": number, "words": text}; a task: {"context": number, "prompt": text,
// "answer": text} per line. A full prompt is the words of its context followed by the prompt. Wrong
// lines throw InputError with file and line number.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace rivulet {

struct EvalQuery {
  size_t context = 0;  // queries of one context share the beginning of their prompts
  std::string prompt;  // with the words of the context
  std::string answer;
};

// Names of the tasks of a folder, sorted. A folder without contexts.jsonl has none.
std::vector<std::string> eval_tasks(const std::filesystem::path& folder);

// All queries of a task in file order. An unknown task throws InputError that lists the known ones.
std::vector<EvalQuery> read_eval_task(const std::filesystem::path& folder, const std::string& task);

}  // namespace rivulet
