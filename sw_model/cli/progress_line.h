// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A short text behind the cursor of a terminal that is taken back before anything else is printed.
//
// Only when standard output and standard error are the same kind of terminal; otherwise nothing is
// ever shown.

#include <string>

namespace rivulet {

class ProgressLine {
 public:
  ProgressLine();
  bool enabled() const { return enabled_; }
  void show(const std::string& text);
  void clear();

 private:
  bool enabled_;
  size_t shown_ = 0;  // characters
};

}  // namespace rivulet
