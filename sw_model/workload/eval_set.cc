// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/eval_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "sw_model/common/json_text.h"
#include "sw_model/workload/file.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

using nlohmann::json;

constexpr const char* kContexts = "contexts";

std::filesystem::path file_of(const std::filesystem::path& folder, const std::string& name) {
  return folder / (name + ".jsonl");
}

// Calls `take` with the object of every line; what it throws gets the place in the file.
void for_each_line(const std::filesystem::path& path,
                   const std::function<void(const json&)>& take) {
  std::istringstream stream(read_text_file(path));
  size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    try {
      take(parse_json(line, path.string(), number));
    } catch (const std::invalid_argument& error) {
      throw InputError(error.what());
    } catch (const json::exception& error) {
      throw InputError(fmt::format("{}:{}: {}", path.string(), number, error.what()));
    }
  }
}

}  // namespace

std::vector<std::string> eval_tasks(const std::filesystem::path& folder) {
  std::vector<std::string> tasks;
  std::error_code error;
  if (std::filesystem::status(file_of(folder, kContexts), error).type() ==
      std::filesystem::file_type::not_found) {
    return tasks;
  }
  for (const std::filesystem::path& path : files_of(folder)) {
    if (path.extension() == ".jsonl" && path.stem() != kContexts) {
      tasks.push_back(path.stem().string());
    }
  }
  std::sort(tasks.begin(), tasks.end());
  return tasks;
}

std::vector<EvalQuery> read_eval_task(const std::filesystem::path& folder,
                                      const std::string& task) {
  const std::vector<std::string> tasks = eval_tasks(folder);
  if (tasks.empty()) {
    throw InputError(fmt::format("{}: holds no evaluation tasks", folder.string()));
  }
  if (std::find(tasks.begin(), tasks.end(), task) == tasks.end()) {
    throw InputError(fmt::format("unknown task '{}' (known: {})", task, fmt::join(tasks, ", ")));
  }
  std::map<size_t, std::string> contexts;
  for_each_line(file_of(folder, kContexts), [&](const json& line) {
    const auto context = line.at("context").get<size_t>();
    if (!contexts.emplace(context, line.at("words").get<std::string>()).second) {
      throw InputError(
          fmt::format("{}: context {} occurs twice", file_of(folder, kContexts).string(), context));
    }
  });
  std::vector<EvalQuery> queries;
  const std::filesystem::path path = file_of(folder, task);
  for_each_line(path, [&](const json& line) {
    const auto context = line.at("context").get<size_t>();
    const auto words = contexts.find(context);
    if (words == contexts.end()) {
      throw InputError(fmt::format("{}: context {} does not exist", path.string(), context));
    }
    queries.push_back({context, words->second + " " + line.at("prompt").get<std::string>(),
                       line.at("answer").get<std::string>()});
  });
  if (queries.empty()) throw InputError(fmt::format("{}: holds no queries", path.string()));
  return queries;
}

}  // namespace rivulet
