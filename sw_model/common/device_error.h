// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// How a run on a device can fail. Wrong arguments are std::invalid_argument instead.

#include <stdexcept>

namespace rivulet {

// A value, count or assertion of the device is wrong: exit code 1.
class Mismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The cycle limit was reached, or nothing moved for too long: exit code 3.
class TimeOut : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rivulet
