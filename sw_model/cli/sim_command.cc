// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/sim_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "sw_model/cli/command_line.h"
#include "sw_model/cli/device_flags.h"
#include "sw_model/cli/exit_code.h"
#include "sw_model/cli/json_output.h"
#include "sw_model/cli/model_path.h"
#include "sw_model/cli/output_paths.h"
#include "sw_model/cli/progress_line.h"
#include "sw_model/cli/sim_report.h"
#include "sw_model/common/message.h"
#include "sw_model/common/text.h"
#include "sw_model/tile/checked_device.h"
#include "sw_model/tile/golden_device.h"
#include "sw_model/workload/eval_set.h"
#include "sw_model/workload/golden_model.h"
#include "sw_model/workload/input_error.h"
#include "sw_model/workload/model_folder.h"
#include "tb/number_options.h"

namespace rivulet {

namespace {

constexpr const char* kDefaultTask = "tour";
constexpr const char* kDefaultTrace = "rivulet_sim.fst";
constexpr size_t kShownPromptWords = 24;

struct SimFlags {
  DeviceFlags device;
  std::string model;
  std::optional<std::string> prompt;
  std::string task;
  DecodeOptions decode{.sub_block_cache = true};
  std::string attention = "host";
  std::string tier = "q8";
  JsonOutput json;
};

// Widths in which the projections can be read.
const std::map<std::string, Tier> kTiers{{"q8", Tier::kQ8}, {"q4", Tier::kQ4}, {"q2", Tier::kQ2}};

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// The last words of a long prompt.
std::string last_words(const std::string& prompt) {
  size_t begin = prompt.size();
  for (size_t words = 0; words < kShownPromptWords && begin != 0; ++words) {
    const size_t space = prompt.rfind(' ', begin - 1);
    begin = space == std::string::npos ? 0 : space;
  }
  return begin == 0 ? prompt : "..." + prompt.substr(begin);
}

// Sets the prompt of the report and, if it is taken from a task, the right answer.
void choose_prompt(const SimFlags& flags, const ModelFolder& folder, SimReport& report) {
  if (flags.prompt && !flags.task.empty()) {
    throw InputError("--prompt and --task exclude each other");
  }
  if (flags.prompt) {
    report.prompt = *flags.prompt;
    return;
  }
  report.task = flags.task.empty() ? kDefaultTask : flags.task;
  const std::vector<EvalQuery> queries = read_eval_task(folder.eval_path(), report.task);
  const EvalQuery& query = queries[flags.device.options.seed % queries.size()];
  report.prompt = query.prompt;
  report.right_text = query.answer;
}

// One decode on one tile, every word checked unless the tile is the golden model itself.
class SimRun {
 public:
  SimRun(const SimFlags& flags, const ModelFolder& folder) : flags_(flags), folder_(folder) {
    report_.target = flags.device.target;
    report_.configuration = flags.device.chosen_configuration();
    report_.seed = flags.device.options.seed;
    report_.model = folder.path.string();
    report_.tier = flags.tier;
    choose_prompt(flags, folder, report_);
    report_.repeat = repeat_command(report_.seed);
    report_.trace_file = flags.device.trace_file(kDefaultTrace);
    check_output_paths(files_of_model(folder.path),
                       {{"--trace", report_.trace_file}, {"--json", flags.json.file()}});
    const DeviceOptions options = flags.device.chosen_options(report_.trace_file);
    prompt_ = folder.vocabulary.encode(report_.prompt);
    weights_ = std::make_shared<const GoldenWeights>(
        folder.config, *folder.weights, WeightFormat::kQ8,
        static_cast<size_t>(report_.configuration.group), kTiers.at(flags.tier));
    const Target target = flags.device.chosen_target();
    std::unique_ptr<TileDevice> tile = make_device(target, report_.configuration, options);
    if (target == Target::kGolden) {
      tile_ = std::move(tile);
    } else {
      checked_ = std::make_shared<CheckedDevice>(std::move(tile), std::make_unique<GoldenDevice>(),
                                                 report_.repeat);
      tile_ = checked_;
    }
  }

  const SimReport& report() const { return report_; }

  // False if a token differs from the golden decode.
  bool run() {
    const DecodeResult golden = decode(std::make_shared<GoldenDevice>(), {});
    expected_forwards_ = golden.counts.forwards();
    print_head();
    print_to(out(), "answer:");
    const auto began = std::chrono::steady_clock::now();
    DecodeResult result;
    try {
      result = decode(tile_,
                      {.on_text = [&](std::span<const int> tokens) { print_text(tokens); },
                       .on_forward = [&](const DecodeCounts& counts) { print_progress(counts); }});
    } catch (...) {
      end_text();
      throw;
    }
    report_.seconds = seconds_since(began);
    end_text();
    fill_report(golden, result);
    return report_.tokens_equal == report_.tokens && golden.tokens.size() == result.tokens.size();
  }

 private:
  std::FILE* out() const { return flags_.json.to_stdout() ? stderr : stdout; }

  DecodeResult decode(const std::shared_ptr<TileDevice>& tile, const DecodeObserver& observer) {
    const std::shared_ptr<TileDevice> attention =
        flags_.attention == "tile" ? tile : std::make_shared<GoldenDevice>();
    GoldenModel model(weights_, tile, attention, report_.configuration.align_w);
    return Decoder(model, flags_.decode, observer).run(prompt_);
  }

  void print_head() const {
    print_to(out(),
             "model {} at {} on target {}, configuration {}, seed {}\nprompt ({} tokens): {}\n",
             printable(report_.model), report_.tier, report_.target, report_.configuration.name,
             report_.seed, prompt_.size(), printable(last_words(report_.prompt)));
    std::fflush(out());
  }

  void print_text(std::span<const int> tokens) {
    if (tokens.empty()) return;
    clear_progress();
    print_to(out(), " {}", printable(folder_.vocabulary.decode(tokens)));
    std::fflush(out());
  }

  // A transient line on a terminal only: the answer itself stays one line.
  void print_progress(const DecodeCounts& counts) {
    if (!progress_.enabled()) return;
    progress_.show(fmt::format(" [forward {} of {}]", counts.forwards(), expected_forwards_));
  }
  void clear_progress() { progress_.clear(); }
  void end_text() {
    clear_progress();
    print_to(out(), "\n");
  }

  void fill_report(const DecodeResult& golden, const DecodeResult& result) {
    report_.text = folder_.vocabulary.decode(result.tokens);
    report_.golden_text = folder_.vocabulary.decode(golden.tokens);
    report_.tokens = result.tokens.size();
    const auto difference = std::mismatch(result.tokens.begin(), result.tokens.end(),
                                          golden.tokens.begin(), golden.tokens.end());
    report_.tokens_equal = static_cast<size_t>(difference.first - result.tokens.begin());
    report_.ended = result.ended;
    report_.decode = result.counts;
    report_.counters = tile_->counters();
    if (checked_) {
      report_.words_compared = checked_->words_compared();
      report_.words_expected = checked_->words_expected();
      report_.device_seconds = checked_->dut_seconds();
    }
  }

  const SimFlags& flags_;
  const ModelFolder& folder_;
  SimReport report_;
  std::vector<int> prompt_;
  std::shared_ptr<const GoldenWeights> weights_;
  std::shared_ptr<TileDevice> tile_;
  std::shared_ptr<CheckedDevice> checked_;  // tile_, unless the target is golden
  size_t expected_forwards_ = 0;
  ProgressLine progress_;
};

int run_sim(const SimFlags& flags) {
  const ModelFolder folder = read_model_folder(model_path(flags.model));
  SimRun sim(flags, folder);
  const bool tokens_equal = sim.run();
  const SimReport& report = sim.report();
  if (!flags.json.to_stdout()) fmt::print("{}", to_text(report));
  flags.json.write(to_json(report));
  if (!tokens_equal) {
    print_error("MISMATCH: the text differs from the golden text\n  golden: {}\n  got:    {}\n",
                printable(report.golden_text), printable(report.text));
    return kExitMismatch;
  }
  if (report.words_compared != report.words_expected) {
    print_error("MISMATCH: {} words compared, {} expected\n", report.words_compared,
                report.words_expected);
    return kExitMismatch;
  }
  return kExitOk;
}

}  // namespace

void add_sim_command(CLI::App& app, std::function<int()>& run) {
  auto flags = std::make_shared<SimFlags>();
  CLI::App* sim =
      app.add_subcommand("sim", "Decode a prompt on the simulated tile, all words checked");
  add_run_flags(*sim, flags->device, "rtl");
  add_tile_flags(*sim, flags->device);
  sim->add_option("--model", flags->model, "Folder of the model (default: vectors/tiny-bd)");
  sim->add_option("--prompt", flags->prompt, "Words of the model's vocabulary");
  sim->add_option("--task", flags->task,
                  "Take the prompt from this evaluation task, chosen by the seed (default: tour)");
  sim->add_option("--threshold", flags->decode.threshold,
                  "Unmask above this probability; above 1: one token per forward")
      ->transform(real_number(0, kMostThreshold))
      ->capture_default_str();
  sim->add_option("--max-tokens", flags->decode.max_tokens, "Longest answer, in tokens")
      ->transform(unsigned_number(1))
      ->capture_default_str();
  sim->add_flag("--sub-block-cache,!--no-sub-block-cache", flags->decode.sub_block_cache,
                "Run only the sub-block once the block cache exists (default: yes)");
  sim->add_option("--attention", flags->attention,
                  "Where the two products of attention run: host or tile")
      ->check(CLI::IsMember({"host", "tile"}))
      ->capture_default_str();
  sim->add_option("--tier", flags->tier,
                  "Width in which every projection is read: q8, q4 or q2 (the text may suffer)")
      ->check(CLI::IsMember({"q8", "q4", "q2"}))
      ->capture_default_str();
  add_json_flag(*sim, flags->json);
  sim->callback([flags, &run] { run = [flags] { return run_sim(*flags); }; });
}

}  // namespace rivulet
