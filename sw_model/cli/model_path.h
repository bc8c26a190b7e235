// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Where the trained model lies.

#include <filesystem>
#include <string>

namespace rivulet {

// `given`, unless it is empty; then the first folder that exists, readable or not, of:
// vectors/tiny-bd below the working directory, beside the command in a build tree
// (../../vectors/tiny-bd), installed
// (../share/rivulet/tiny-bd). Without any, the first one, so that the message names it.
std::filesystem::path model_path(const std::string& given);

}  // namespace rivulet
