// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The example tables of docs/numerics.md, parsed out of the page and run through the library: an
// example that no longer holds, or a table that lost its rows, fails.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw_model/numerics/accumulate.h"
#include "sw_model/numerics/align.h"
#include "sw_model/numerics/fp32.h"
#include "sw_model/numerics/pack.h"
#include "sw_model/numerics/quantize.h"
#include "sw_model/numerics/view.h"
#include "tb/project_root.h"
#include "tests/numerics/compared.h"

namespace rivulet {
namespace {

using Row = std::vector<std::string>;

constexpr const char* kPage = "docs/numerics.md";

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The cells of a line `| a | b |`.
Row cells(const std::string& line) {
  Row row;
  size_t begin = 1;
  for (size_t end = line.find('|', begin); end != std::string::npos; end = line.find('|', begin)) {
    row.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return row;
}

// The rows below the head of the table that follows `<!-- table: name -->`.
std::vector<Row> table(const std::string& name) {
  std::ifstream page(project_file(kPage));
  if (!page) throw std::runtime_error(fmt::format("{}: cannot be read", project_file(kPage)));
  std::vector<Row> rows;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == fmt::format("<!-- table: {} -->", name)) {
      inside = true;
    } else if (inside && line.rfind('|', 0) == 0) {
      rows.push_back(cells(line));
    } else if (inside) {
      break;
    }
  }
  if (rows.size() < 3) throw std::runtime_error(fmt::format("{}: no table '{}'", kPage, name));
  rows.erase(rows.begin(), rows.begin() + 2);  // head and rule
  return rows;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> list;
  for (std::string word; stream >> word;) list.push_back(word);
  return list;
}

uint64_t hex(const std::string& text) {
  size_t used = 0;
  const uint64_t value = std::stoull(text, &used, 16);
  if (used != text.size()) throw std::runtime_error(fmt::format("'{}' is not hexadecimal", text));
  return value;
}

Bf16 bf16(const std::string& text) { return Bf16{static_cast<uint16_t>(hex(text))}; }

std::vector<int8_t> codes(const std::string& text) {
  std::vector<int8_t> list;
  for (const std::string& word : words(text)) list.push_back(static_cast<int8_t>(std::stoi(word)));
  return list;
}

std::string joined(const std::vector<std::string>& list, const std::string& separator = " ") {
  std::string text;
  for (const std::string& word : list) text += (text.empty() ? "" : separator) + word;
  return text;
}
template <typename Integer>
std::string joined(const std::vector<Integer>& list) {
  std::vector<std::string> text;
  text.reserve(list.size());
  for (const Integer value : list) text.push_back(std::to_string(value));
  return joined(text);
}

// Runs `actual(row)` on each row and compares the text with the cells that hold the result.
template <typename Actual>
void check(const std::string& name, size_t rows, const Actual& actual) {
  Compared compared(fmt::format("examples of '{}'", name));
  for (const Row& row : table(name)) {
    const auto [expected, got] = actual(row);
    compared.holds(expected == got, [&, e = expected, g = got] {
      return fmt::format("the page says '{}', the library '{}' for | {} |", e, g,
                         joined(row, " | "));
    });
  }
  compared.done(rows);
}

using Pair = std::pair<std::string, std::string>;

TEST(DocumentedExamples, Fp32ToBf16) {
  check("fp32_to_bf16", 17, [](const Row& row) {
    const float value = fp32_from_bits(static_cast<uint32_t>(hex(row.at(0))));
    return Pair(row.at(1), fmt::format("{:04X}", bf16_from_float(value).bits));
  });
}

TEST(DocumentedExamples, Align) {
  check("align", 9, [](const Row& row) {
    std::vector<Bf16> lanes;
    for (const std::string& word : words(row.at(1))) lanes.push_back(bf16(word));
    std::vector<int16_t> aligned(lanes.size());
    const int exponent = align_group(lanes, std::stoi(row.at(0)), aligned);
    return Pair(row.at(2) + ": " + row.at(3), fmt::format("{}: {}", exponent, joined(aligned)));
  });
}

TEST(DocumentedExamples, Accumulate) {
  check("accumulate", 20, [](const Row& row) {
    AccumulateCounts counts;
    const float acc = accumulate(
        fp32_from_bits(static_cast<uint32_t>(hex(row.at(1)))), std::stoll(row.at(2)),
        bf16(row.at(3)), static_cast<uint8_t>(std::stoi(row.at(4))), std::stoi(row.at(0)), counts);
    const std::string counted =
        counts.special != 0 ? "special" : (counts.saturated != 0 ? "saturated" : "");
    return Pair(row.at(5) + " " + row.at(6), fmt::format("{:08X} {}", fp32_bits(acc), counted));
  });
}

TEST(DocumentedExamples, Q4Views) {
  check("q4", 16, [](const Row& row) {
    View view;
    view.shift = std::stoi(row.at(1));
    view.clamp = std::stoi(row.at(2));
    view.rounding = row.at(3) == "trunc" ? Q4Rounding::kTruncate : Q4Rounding::kHalfUp;
    return Pair(row.at(4),
                fmt::format("{}", view_q4(static_cast<int8_t>(std::stoi(row.at(0))), view)));
  });
}

TEST(DocumentedExamples, Thresholds) {
  check("theta", 8, [](const Row& row) {
    View view;
    view.shift = std::stoi(row.at(0));
    view.clamp = std::stoi(row.at(2));
    const Thresholds thresholds = thresholds_on_q4(view, std::stoi(row.at(1)));
    return Pair(row.at(3) + " " + row.at(4),
                fmt::format("{} {}", thresholds.theta_p, thresholds.theta_n));
  });
}

TEST(DocumentedExamples, Packing) {
  check("pack", 5, [](const Row& row) {
    const auto beats = pack_codes(codes(row.at(1)), tier_from_bits(std::stoi(row.at(0))));
    std::vector<std::string> text;
    text.reserve(beats.size());
    for (const uint64_t beat : beats) text.push_back(fmt::format("{:016X}", beat));
    return Pair(row.at(2), joined(text));
  });
}

TEST(DocumentedExamples, Quantization) {
  check("quantize", 4, [](const Row& row) {
    std::vector<float> weights;
    for (const std::string& word : words(row.at(0))) {
      weights.push_back(fp32_from_bits(static_cast<uint32_t>(hex(word))));
    }
    std::vector<int8_t> quantized(weights.size());
    const Bf16 scale = quantize_group(weights, quantized);
    return Pair(row.at(1) + ": " + row.at(2),
                fmt::format("{:04X}: {}", scale.bits, joined(quantized)));
  });
}

TEST(DocumentedExamples, Constants) {
  const std::vector<Pair> constants = {
      {"LOG2E", "0x1.71547652b82fep+0"},       {"LN2_HI", "0x1.62e42feep-1"},
      {"LN2_LO", "0x1.a39ef35793c76p-33"},     {"SQRT_HALF", "0x1.6a09e667f3bcdp-1"},
      {"TWO_OVER_PI", "0x1.45f306dc9c883p-1"}, {"PIO2_1", "0x1.921fb544p+0"},
      {"PIO2_2", "0x1.0b4611a6p-34"},          {"PIO2_3", "0x1.3198a2e037073p-69"},
  };
  check("constants", constants.size(), [&](const Row& row) {
    for (const auto& [name, value] : constants) {
      if (name == row.at(0)) {
        return Pair(row.at(1), fmt::format("{:016X}", std::bit_cast<uint64_t>(std::stod(value))));
      }
    }
    return Pair(row.at(0), "no such constant");
  });
}

}  // namespace
}  // namespace rivulet
