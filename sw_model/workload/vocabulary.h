// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A closed, word-level vocabulary: words of a text are separated by white space.
//
// vocab.json is an array of distinct words; a word's index is its token. A word outside the
// vocabulary throws InputError that gives its place in the text and the nearest known words by edit
// distance.

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rivulet {

class Vocabulary {
 public:
  // `name` stands for the file in messages.
  static Vocabulary parse(const std::string& json_text, const std::string& name);

  size_t size() const { return words_.size(); }
  const std::string& word(int token) const;  // std::out_of_range if there is none
  std::vector<int> encode(std::string_view text) const;
  std::string decode(std::span<const int> tokens) const;  // separated by one space

  // The `count` known words with the smallest edit distance, nearest first, ties in token order.
  std::vector<std::string> nearest(std::string_view word, size_t count) const;

 private:
  std::vector<std::string> words_;
  std::unordered_map<std::string, int> tokens_;
};

// Levenshtein distance in bytes.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace rivulet
