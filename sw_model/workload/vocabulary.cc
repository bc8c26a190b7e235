// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/vocabulary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "sw_model/common/json_text.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

constexpr size_t kSuggestions = 3;

bool is_one_word(const std::string& text) {
  return !text.empty() && text.find_first_of(" \t\n\v\f\r") == std::string::npos;
}

}  // namespace

Vocabulary Vocabulary::parse(const std::string& json_text, const std::string& name) {
  const nlohmann::json array = [&] {
    try {
      return parse_json(json_text, name);
    } catch (const std::invalid_argument& error) {
      throw InputError(error.what());
    }
  }();
  if (!array.is_array()) throw InputError(fmt::format("{}: not a JSON array of words", name));
  Vocabulary vocabulary;
  for (const auto& entry : array) {
    const int token = static_cast<int>(vocabulary.words_.size());
    if (!entry.is_string() || !is_one_word(entry.get<std::string>())) {
      throw InputError(fmt::format("{}: token {} is {}, not a word", name, token, entry.dump()));
    }
    const std::string word = entry.get<std::string>();
    if (!vocabulary.tokens_.emplace(word, token).second) {
      throw InputError(fmt::format("{}: word '{}' occurs twice", name, word));
    }
    vocabulary.words_.push_back(word);
  }
  return vocabulary;
}

const std::string& Vocabulary::word(int token) const {
  return words_.at(static_cast<size_t>(token));
}

std::vector<int> Vocabulary::encode(std::string_view text) const {
  std::istringstream stream{std::string(text)};
  std::vector<int> tokens;
  for (std::string word; stream >> word;) {
    const auto found = tokens_.find(word);
    if (found == tokens_.end()) {
      throw InputError(fmt::format(
          "word {} of the prompt, '{}', is not in the vocabulary of {} words; nearest: {}",
          tokens.size() + 1, word, words_.size(), fmt::join(nearest(word, kSuggestions), ", ")));
    }
    tokens.push_back(found->second);
  }
  return tokens;
}

std::string Vocabulary::decode(std::span<const int> tokens) const {
  std::vector<std::string_view> words;
  for (const int token : tokens) words.emplace_back(word(token));
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> Vocabulary::nearest(std::string_view word, size_t count) const {
  std::vector<std::pair<size_t, size_t>> order;  // distance, token
  for (size_t token = 0; token < words_.size(); ++token) {
    order.emplace_back(edit_distance(word, words_[token]), token);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> result;
  for (size_t i = 0; i < std::min(count, order.size()); ++i) {
    result.push_back(words_[order[i].second]);
  }
  return result;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);  // distances of a prefix of a to all prefixes of b
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace rivulet
