// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Files of the project that a test or a bench reads, found from any working directory.

#pragma once

#include <string>

namespace rivulet {

// `name`, such as "tests/data/shapes.json", in the tree that this program was built from; an
// absolute name stays.
std::string project_file(const std::string& name);

}  // namespace rivulet
