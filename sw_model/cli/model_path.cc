// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/model_path.h"

#include <array>
#include <system_error>

namespace rivulet {

std::filesystem::path model_path(const std::string& given) {
  if (!given.empty()) return given;
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const std::array<fs::path, 4> candidates{
      fs::path("vectors/tiny-bd"), (folder / "../../vectors/tiny-bd").lexically_normal(),
      (folder / "../share/rivulet/tiny-bd").lexically_normal(),
      (folder / "../../share/rivulet/tiny-bd").lexically_normal()};  // from libexec/rivulet
  for (const fs::path& candidate : candidates) {
    // One that may not be read is chosen too, so that the message has the reason.
    const fs::file_status status = fs::status(candidate / "config.json", error);
    if (status.type() != fs::file_type::not_found) return candidate;
  }
  return candidates.front();
}

}  // namespace rivulet
