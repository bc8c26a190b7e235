// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/weighted_choice.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tb/project_root.h"

namespace rivulet {
namespace {

nlohmann::json read_domain(const std::string& domain, const std::string& file) {
  std::ifstream stream(project_file(file));
  if (!stream) throw std::runtime_error(fmt::format("{}: cannot be read", project_file(file)));
  const nlohmann::json root = nlohmann::json::parse(stream);
  if (!root.contains(domain) || !root.at(domain).is_object() || root.at(domain).empty()) {
    throw std::runtime_error(fmt::format("{}: no classes under '{}'", file, domain));
  }
  return root.at(domain);
}

}  // namespace

std::vector<std::string> WeightedChoice::names_of(const std::string& domain,
                                                  const std::string& file) {
  const nlohmann::json weights = read_domain(domain, file);
  std::vector<std::string> names;
  for (const auto& [name, weight] : weights.items()) names.push_back(name);
  return names;
}

WeightedChoice::WeightedChoice(const std::string& domain, std::vector<std::string> names,
                               const std::string& file) {
  const nlohmann::json weights = read_domain(domain, file);
  for (std::string& name : names) {
    if (!weights.contains(name) || !weights.at(name).is_number_unsigned() ||
        weights.at(name).get<std::uint64_t>() == 0) {
      throw std::runtime_error(
          fmt::format("{}: {}.{} needs a positive whole weight", file, domain, name));
    }
    const auto weight = weights.at(name).get<std::uint64_t>();
    total_weight_ += weight;
    classes_.push_back({std::move(name), weight});
  }
  if (classes_.size() != weights.size()) {
    throw std::runtime_error(fmt::format("{}: {} has {} classes, the program knows {}", file,
                                         domain, weights.size(), classes_.size()));
  }
}

std::size_t WeightedChoice::pick(Random& random) {
  std::uint64_t ticket = random.below(total_weight_);
  std::size_t i = 0;
  while (ticket >= classes_[i].weight) ticket -= classes_[i++].weight;
  ++classes_[i].count;
  return i;
}

std::string WeightedChoice::never_picked() const {
  std::string names;
  for (const Class& c : classes_) {
    if (c.count == 0) names += (names.empty() ? "" : " ") + c.name;
  }
  return names;
}

std::string WeightedChoice::counts() const {
  std::string text;
  for (const Class& c : classes_) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", c.name, c.count);
  }
  return text;
}

}  // namespace rivulet
