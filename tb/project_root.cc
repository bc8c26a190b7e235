// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/project_root.h"

#include <filesystem>

namespace rivulet {

std::string project_file(const std::string& name) {
  return (std::filesystem::path(RIVULET_PROJECT_ROOT) / name).string();
}

}  // namespace rivulet
