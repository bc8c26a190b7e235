// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/waves/fst_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace rivulet {
namespace {

// Types of blocks. A block is a byte of type, eight bytes of length (from there on), contents.
constexpr std::array<unsigned, 3> kValues{1, 5, 8};
constexpr unsigned kHeader = 0, kGeometry = 3;
constexpr std::array<unsigned, 3> kHierarchy{4, 6, 7};

template <size_t kSize>
bool contains(const std::array<unsigned, kSize>& types, unsigned type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

}  // namespace

FstFile read_fst(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error(fmt::format("{}: no such file", path.string()));
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  const auto fail = [&](const std::string& what) {
    return std::runtime_error(fmt::format("{} ({} bytes): {}", path.string(), bytes.size(), what));
  };
  const auto number = [&](size_t at) {
    if (at + 8 > bytes.size()) throw fail("cut short");
    std::uint64_t value = 0;
    for (size_t i = 0; i < 8; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  FstFile file;
  bool header = false, geometry = false, hierarchy = false;
  for (size_t at = 0; at < bytes.size();) {
    const unsigned type = static_cast<unsigned char>(bytes[at]);
    const std::uint64_t length = number(at + 1);
    if (length < 8 || length > bytes.size() - at - 1) {
      throw fail(fmt::format("block of type {} at {} is cut short", type, at));
    }
    if (type == kHeader) {
      header = true;
      file.start = number(at + 9);
      file.end = number(at + 17);
      file.variables = number(at + 49);
    }
    geometry = geometry || type == kGeometry;
    hierarchy = hierarchy || contains(kHierarchy, type);
    if (contains(kValues, type)) ++file.value_blocks;
    at += 1 + length;
  }
  if (!header || !geometry || !hierarchy || file.value_blocks == 0) {
    throw fail(fmt::format("header {}, geometry {}, hierarchy {}, {} blocks of values", header,
                           geometry, hierarchy, file.value_blocks));
  }
  return file;
}

}  // namespace rivulet
