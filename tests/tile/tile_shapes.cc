// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/tile_shapes.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

#include "tb/project_root.h"

namespace rivulet {
namespace {

size_t size_of(const std::string& text, const Configuration& configuration) {
  static const std::regex pattern(R"((\d*)([MDGL]?)([+-]\d+)?)");
  std::smatch match;
  if (text.empty() || !std::regex_match(text, match, pattern)) {
    throw std::runtime_error(fmt::format("not a size: '{}'", text));
  }
  const int factor = match[1].length() == 0 ? 1 : std::stoi(match[1]);
  const std::string letter = match[2];
  int unit = 1;
  if (letter == "M") unit = configuration.positions;
  if (letter == "D") unit = configuration.psum_depth;
  if (letter == "G") unit = configuration.group;
  if (letter == "L") unit = configuration.lanes;
  const int value = factor * unit + (match[3].length() == 0 ? 0 : std::stoi(match[3]));
  if (value < 0) throw std::runtime_error(fmt::format("not a size: '{}'", text));
  return static_cast<size_t>(value == 0 ? 1 : value);  // T-1 of T = 1
}

nlohmann::json read(const std::string& file) {
  std::ifstream in(project_file(file));
  if (!in) throw std::runtime_error(fmt::format("cannot read '{}'", project_file(file)));
  return nlohmann::json::parse(in);
}

}  // namespace

std::vector<TileShape> tile_shapes(const Configuration& configuration, const std::string& file) {
  const nlohmann::json json = read(file);
  std::vector<TileShape> shapes;
  for (const auto& shape : json.at("shapes")) {
    shapes.push_back({size_of(shape.at(0), configuration), size_of(shape.at(1), configuration),
                      size_of(shape.at(2), configuration)});
  }
  if (shapes.empty()) throw std::runtime_error(fmt::format("'{}' lists no shapes", file));
  return shapes;
}

std::vector<TileShape> tile_shape_product(const Configuration& configuration,
                                          const std::string& file) {
  const nlohmann::json json = read(file);
  std::vector<TileShape> shapes;
  for (const auto& m : json.at("sizes").at("m")) {
    for (const auto& n : json.at("sizes").at("n")) {
      for (const auto& k : json.at("sizes").at("k")) {
        shapes.push_back(
            {size_of(m, configuration), size_of(n, configuration), size_of(k, configuration)});
      }
    }
  }
  if (shapes.empty()) throw std::runtime_error(fmt::format("'{}' lists no sizes", file));
  return shapes;
}

}  // namespace rivulet
