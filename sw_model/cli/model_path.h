// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Where the trained model lies.

#include <filesystem>
#include <string>

namespace rivulet {

// `given`, unless it is empty; then the first folder with a config.json, readable or not, of:
// vectors/tiny-bd below the working directory; vectors/tiny-bd (a build tree) and
// share/rivulet/tiny-bd (installed) below the command's folder and each folder above it. Without
// any, the first one, so that the message names it.
std::filesystem::path model_path(const std::string& given);

}  // namespace rivulet
