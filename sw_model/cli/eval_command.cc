// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/eval_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw_model/cli/exit_code.h"
#include "sw_model/cli/json_output.h"
#include "sw_model/cli/model_path.h"
#include "sw_model/cli/output_paths.h"
#include "sw_model/common/message.h"
#include "sw_model/common/text.h"
#include "sw_model/tile/golden_device.h"
#include "sw_model/workload/evaluation.h"
#include "sw_model/workload/float_model.h"
#include "sw_model/workload/golden_model.h"
#include "sw_model/workload/input_error.h"
#include "sw_model/workload/model_folder.h"
#include "tb/number_options.h"

namespace rivulet {

namespace {

constexpr double kMostThreshold = 1e9;

constexpr const char* kFloat = "float";
constexpr const char* kBf16 = "bf16";
constexpr const char* kQ8 = "q8";
constexpr size_t kEvalMaxTokens = 64;

struct EvalFlags {
  std::string model;
  std::vector<std::string> tasks;
  std::vector<std::string> formats{kFloat, kBf16, kQ8};
  size_t limit = 0;
  size_t threads = 2;
  DecodeOptions decode{.max_tokens = kEvalMaxTokens, .sub_block_cache = true};
  JsonOutput json;
};

MakeModel model_maker(const ModelFolder& folder, const std::string& format) {
  if (format == kFloat) {
    return [&folder] { return std::make_unique<FloatModel>(folder.config, folder.weights); };
  }
  const auto weights = std::make_shared<const GoldenWeights>(
      folder.config, *folder.weights, format == kQ8 ? WeightFormat::kQ8 : WeightFormat::kBf16,
      static_cast<size_t>(kDefaultGroup));
  return [weights] {
    const auto device = std::make_shared<GoldenDevice>();
    return std::make_unique<GoldenModel>(weights, device, device, kMaxAlignWidth);
  };
}

nlohmann::json to_json(const std::string& task, const std::string& format, const Score& score) {
  const Interval interval = wilson(score.hits, score.n);
  return {{"task", valid_utf8(task)},
          {"format", format},
          {"n", score.n},
          {"hits", score.hits},
          {"exact_match", static_cast<double>(score.hits) / static_cast<double>(score.n)},
          {"low", interval.low},
          {"high", interval.high},
          {"forwards", score.forwards},
          {"blocks", score.blocks},
          {"seconds", score.seconds}};
}

int run_eval(const EvalFlags& flags) {
  const std::filesystem::path model = model_path(flags.model);
  check_output_paths(files_of_model(model), {{"--json", flags.json.file()}});
  const ModelFolder folder = read_model_folder(model);
  const std::vector<std::string> tasks =
      flags.tasks.empty() ? eval_tasks(folder.eval_path()) : flags.tasks;
  if (tasks.empty()) {
    throw InputError(fmt::format("{}: holds no evaluation tasks, contexts.jsonl and NAME.jsonl",
                                 folder.eval_path().string()));
  }
  std::FILE* const out = flags.json.to_stdout() ? stderr : stdout;
  print_to(out, "{:<8} {:<6} {:>6} {:>12} {:>17} {:>15} {:>8}\n", "task", "format", "n",
           "exact match", "95 % interval", "forwards/block", "seconds");
  nlohmann::json rows = nlohmann::json::array();
  for (const std::string& task : tasks) {
    std::vector<EvalQuery> queries = read_eval_task(folder.eval_path(), task);
    if (flags.limit != 0) queries.resize(std::min(flags.limit, queries.size()));
    for (const std::string& format : flags.formats) {
      const Score score = evaluate(queries, folder.vocabulary, model_maker(folder, format),
                                   flags.decode, flags.threads);
      const Interval interval = wilson(score.hits, score.n);
      print_to(
          out, "{:<8} {:<6} {:>6} {:>10.2f} % {:>7.2f} - {:>5.2f} % {:>15.2f} {:>8.1f}\n", task,
          format, score.n, 100 * static_cast<double>(score.hits) / static_cast<double>(score.n),
          100 * interval.low, 100 * interval.high,
          static_cast<double>(score.forwards) / static_cast<double>(score.blocks), score.seconds);
      std::fflush(out);
      rows.push_back(to_json(task, format, score));
    }
  }
  flags.json.write(rows);
  return kExitOk;
}

}  // namespace

void add_eval_command(CLI::App& app, std::function<int()>& run) {
  auto flags = std::make_shared<EvalFlags>();
  CLI::App* eval = app.add_subcommand("eval", "Score the model on its held-out evaluation tasks");
  eval->add_option("--model", flags->model, "Folder of the model (default: vectors/tiny-bd)");
  eval->add_option("--task", flags->tasks, "Tasks (default: all)");
  eval->add_option("--format", flags->formats,
                   "float: FP32 reference; bf16, q8: golden numerics with weights of that format")
      ->check(CLI::IsMember({kFloat, kBf16, kQ8}))
      ->capture_default_str();
  eval->add_option("--limit", flags->limit, "Queries per task; 0 = all")
      ->transform(unsigned_number())
      ->capture_default_str();
  eval->add_option("--threads", flags->threads, "Threads")
      ->transform(unsigned_number(1, 64))
      ->capture_default_str();
  eval->add_option("--threshold", flags->decode.threshold, "Unmask above this probability")
      ->transform(real_number(0, kMostThreshold))
      ->capture_default_str();
  eval->add_option("--max-tokens", flags->decode.max_tokens, "Longest answer, in tokens")
      ->transform(unsigned_number(1))
      ->capture_default_str();
  eval->add_flag("--sub-block-cache,!--no-sub-block-cache", flags->decode.sub_block_cache,
                 "Run only the sub-block once the block cache exists (default: yes)");
  add_json_flag(*eval, flags->json);
  eval->callback([flags, &run] { run = [flags] { return run_eval(*flags); }; });
}

}  // namespace rivulet
