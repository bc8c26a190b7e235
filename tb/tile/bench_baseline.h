// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The committed cycles of the bench: {configuration: {case: cycles}}, a line for each case.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rivulet {

using BenchCycles = nlohmann::ordered_json;

// How the cycles differ from the file, in the configurations that ran: a line for each case. Throws
// std::invalid_argument if there is no such file.
std::vector<std::string> differences(const BenchCycles& found, const std::string& file);

// Throws std::runtime_error if it cannot be written.
void write_json(const nlohmann::ordered_json& json, const std::string& file);

}  // namespace rivulet
