// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The flag --json[=FILE]: results as JSON in a file, or on standard output in place of the text.

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace rivulet {

class JsonOutput {
 public:
  bool to_stdout() const { return file_ && file_->empty(); }
  // The file, empty if the flag was not given or means standard output.
  std::string file() const { return file_.value_or(""); }
  void set_file(const std::string& file) { file_ = file; }
  // Does nothing if the flag was not given.
  void write(const nlohmann::json& json) const;

 private:
  std::optional<std::string> file_;  // empty: standard output
};

void add_json_flag(CLI::App& app, JsonOutput& output);

}  // namespace rivulet
