// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/common/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "sw_model/common/text.h"

namespace rivulet {

namespace {

using nlohmann::json;

constexpr size_t kShownKey = 80;  // bytes

// Finds keys that occur twice; values are those of json::parse, which knows nothing of places.
class Checker : public nlohmann::json_sax<json> {
 public:
  Checker(std::string_view text, std::istream& stream) : text_(text), stream_(stream) {}

  const std::string& defect() const { return defect_; }
  size_t place() const { return place_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool key(string_t& key) override {
    if (keys_.back().insert(key).second) return true;
    defect_ = fmt::format("key '{}' occurs twice in one object", shortened(key, kShownKey));
    // The stream stands behind the closing quote of the key.
    const auto read =
        static_cast<size_t>(stream_.rdbuf()->pubseekoff(0, std::ios_base::cur, std::ios_base::in));
    const size_t quote = read < 2 ? std::string_view::npos : text_.rfind('"', read - 2);
    place_ = quote == std::string_view::npos ? 0 : quote;
    return false;
  }
  bool parse_error(std::size_t place, const std::string&,
                   const nlohmann::detail::exception& error) override {
    defect_ = error.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    if (const size_t colon = defect_.find(": "); colon != std::string::npos) {
      defect_ = defect_.substr(colon + 2);
    }
    defect_ = "not valid JSON: " + defect_;
    place_ = place == 0 ? 0 : std::min(place - 1, text_.size());
    return false;
  }

 private:
  bool open() {
    keys_.emplace_back();
    if (keys_.size() <= static_cast<size_t>(kMostJsonDepth)) return true;
    defect_ = "nested too deeply";
    return false;
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  std::string_view text_;
  std::istream& stream_;
  std::vector<std::set<std::string>> keys_;
  std::string defect_;
  size_t place_ = 0;
};

}  // namespace

json parse_json(std::string_view text, const std::string& name, size_t first_line) {
  std::istringstream stream{std::string(text)};
  Checker checker(text, stream);
  if (json::sax_parse(stream, &checker)) return json::parse(text);
  const std::string_view before = text.substr(0, checker.place());
  const auto lines = static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t line_begin =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  constexpr size_t kShownDefect = 300;
  throw std::invalid_argument(fmt::format("{}:{}:{}: {}", name, first_line + lines,
                                          before.size() - line_begin + 1,
                                          shortened(checker.defect(), kShownDefect)));
}

}  // namespace rivulet
