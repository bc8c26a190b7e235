// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "sw_model/common/message.h"

namespace rivulet {

ProgressLine::ProgressLine()
    : enabled_(::isatty(STDOUT_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const std::string& text) {
  if (!enabled_) return;
  clear();
  print_error("{}", text);
  std::fflush(stderr);
  shown_ = text.size();
}

void ProgressLine::clear() {
  if (shown_ == 0) return;
  print_error("{0}{1}{0}", std::string(shown_, '\b'), std::string(shown_, ' '));
  std::fflush(stderr);
  shown_ = 0;
}

}  // namespace rivulet
