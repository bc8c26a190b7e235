// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/model_path.h"

#include <system_error>

namespace rivulet {

std::filesystem::path model_path(const std::string& given) {
  if (!given.empty()) return given;
  namespace fs = std::filesystem;
  fs::path in_tree = "vectors/tiny-bd";
  std::error_code error;
  const auto is_model = [&error](const fs::path& folder) {
    // One that may not be read is one too, so that the message has the reason.
    return fs::status(folder / "config.json", error).type() != fs::file_type::not_found;
  };
  if (is_model(in_tree)) return in_tree;
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    for (const fs::path& candidate : {folder / in_tree, folder / "share/rivulet/tiny-bd"}) {
      if (is_model(candidate)) return candidate;
    }
  }
  return in_tree;
}

}  // namespace rivulet
