// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/vocabulary.h"

#include <gtest/gtest.h>

#include "sw_model/workload/input_error.h"

namespace rivulet {
namespace {

Vocabulary example() {
  return Vocabulary::parse(R"(["<pad>", "<mask>", "market", "garden", "maple", "7"])", "v");
}

TEST(Vocabulary, RoundTripAndWhiteSpace) {
  const Vocabulary vocabulary = example();
  EXPECT_EQ(vocabulary.encode("  garden\tmarket\n7 "), (std::vector<int>{3, 2, 5}));
  EXPECT_EQ(vocabulary.decode(std::vector<int>{3, 2, 5}), "garden market 7");
  EXPECT_TRUE(vocabulary.encode("").empty());
  EXPECT_THROW(vocabulary.word(6), std::out_of_range);
  EXPECT_THROW(vocabulary.word(-1), std::out_of_range);
}

TEST(Vocabulary, UnknownWordNamesTheNearest) {
  try {
    example().encode("garden marker");
    FAIL() << "no exception";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("word 2 of the prompt, 'marker'"), std::string::npos) << message;
    EXPECT_NE(message.find("nearest: market, garden, maple"), std::string::npos) << message;
  }
}

TEST(Vocabulary, EditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("flaw", "lawn"), 2U);
  EXPECT_EQ(edit_distance("same", "same"), 0U);
  EXPECT_EQ(edit_distance("ab", "ba"), 2U);
}

TEST(Vocabulary, BadFilesAreRefused) {
  for (const char* text :
       {"", "{}", "3", R"(["a", 3])", R"(["a", "a"])", R"(["a b"])", R"([""])"}) {
    EXPECT_THROW(Vocabulary::parse(text, "v"), InputError) << text;
  }
}

}  // namespace
}  // namespace rivulet
