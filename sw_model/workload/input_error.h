// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The one exception for everything a user can get wrong: files, names, shapes, values.
// The message says what is wrong, where, and what to do; the command ends with exit code 2.

#include <stdexcept>

namespace rivulet {

class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rivulet
