// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/eval_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
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

constexpr double kMostKvBits = 8;

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
  std::vector<std::string> kv;
  double kv_bits = -1;  // below 0: that of the policy
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

// The same model with its prefix read by a KV policy.
MakeModel kv_model_maker(const ModelFolder& folder, const std::string& format,
                         const KvOptions& options) {
  const auto weights = std::make_shared<const GoldenWeights>(
      folder.config, *folder.weights, format == kQ8 ? WeightFormat::kQ8 : WeightFormat::kBf16,
      static_cast<size_t>(kDefaultGroup));
  return [weights, options] {
    auto model = std::make_unique<GoldenModel>(weights, std::make_shared<GoldenDevice>(),
                                               std::make_shared<GoldenDevice>(), kMaxAlignWidth);
    model->set_kv(options);
    return model;
  };
}

KvOptions kv_options(const std::string& name, double bits) {
  const KvPolicy policy = kv_policy(name);
  KvOptions options{.policy = policy, .bits = bits, .ledger = std::make_shared<KvLedger>()};
  if (bits < 0) options.bits = default_budget(policy);
  try {
    if (has_budget(policy)) {
      kv_cuts(policy, options.bits);
    } else if (bits >= 0) {
      throw std::invalid_argument("it has no budget, leave --kv-bits away");
    }
  } catch (const std::invalid_argument& problem) {
    throw InputError(fmt::format("--kv {}: {}", name, problem.what()));
  }
  return options;
}

void check_kv(const EvalFlags& flags) {
  if (!flags.kv.empty() && (flags.formats.size() != 1 || flags.formats[0] == kFloat)) {
    throw InputError("--kv compares one golden format: give --format q8 or --format bf16");
  }
  if (flags.kv.empty() && flags.kv_bits >= 0) {
    throw InputError("--kv-bits is the budget of a policy: give --kv too");
  }
  for (const std::string& name : flags.kv) kv_options(name, flags.kv_bits);
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

// A line for each KV policy, against the unmodified answers of `base`.
void run_kv(const EvalFlags& flags, const ModelFolder& folder, const std::string& task,
            const std::vector<EvalQuery>& queries, const Score& base, std::FILE* out,
            nlohmann::json& rows) {
  for (const std::string& name : flags.kv) {
    const KvOptions options = kv_options(name, flags.kv_bits);
    const Score score =
        evaluate(queries, folder.vocabulary, kv_model_maker(folder, flags.formats[0], options),
                 flags.decode, flags.threads);
    const Comparison paired = compare(base, score);
    const Interval same = wilson(paired.identical, paired.n);
    const double bits = options.ledger->bits_per_element(folder.config.head_dim);
    const double share = static_cast<double>(paired.identical) / static_cast<double>(paired.n);
    fmt::print(out,
               "  kv {:<9} {:>5.2f} bits  exact {:>4} of {}  lost {} gained {}  change {:+.2f} +- "
               "{:.2f} %  identical {:.2f} % ({:.2f} - {:.2f})  {:.1f} s\n",
               name, bits, score.hits, score.n, paired.lost, paired.gained, 100 * paired.change,
               100 * paired.half, 100 * share, 100 * same.low, 100 * same.high, score.seconds);
    std::fflush(out);
    nlohmann::json row = to_json(task, flags.formats[0], score);
    row["kv"] = {{"policy", name},
                 {"bits", bits},
                 {"lost", paired.lost},
                 {"gained", paired.gained},
                 {"change", paired.change},
                 {"change_half", paired.half},
                 {"identical", paired.identical},
                 {"identical_low", same.low},
                 {"identical_high", same.high}};
    if (has_budget(options.policy)) row["kv"]["budget"] = options.bits;
    rows.push_back(row);
  }
}

int run_eval(const EvalFlags& flags) {
  check_kv(flags);
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
      run_kv(flags, folder, task, queries, score, out, rows);
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
  eval->add_option("--kv", flags->kv,
                   "Also with the prefix read through the KV codec, by these policies; compared "
                   "answer by answer")
      ->check(CLI::IsMember(kv_policy_names()));
  eval->add_option("--kv-bits", flags->kv_bits,
                   "Budget of the policy: mean bits of a residual element that it ranks "
                   "(default: 1; lifecycle 4.6861)")
      ->transform(real_number(0, kMostKvBits));
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
