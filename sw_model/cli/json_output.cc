// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/json_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sw_model/workload/file.h"

namespace rivulet {

void JsonOutput::write(const nlohmann::json& json) const {
  if (!file_) return;
  // Text of the user is escaped before (valid_utf8); what is not must not cost the results.
  const std::string text =
      json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (file_->empty()) {
    fmt::print("{}", text);
  } else {
    write_file(*file_, std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
  }
}

void add_json_flag(CLI::App& app, JsonOutput& output) {
  app.add_option_function<std::string>(
         "--json", [&output](const std::string& file) { output.set_file(file); },
         "Results as JSON in FILE, or on standard output in place of the text")
      ->expected(0, 1)
      ->type_name("[FILE]");
}

}  // namespace rivulet
