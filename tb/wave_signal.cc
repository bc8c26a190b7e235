// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tb/wave_signal.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace rivulet {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) { noted = signal; }

}  // namespace

void note_wave_signals() {
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction present = {};
    sigaction(signal, nullptr, &present);
    // One that is ignored (nohup) stays so.
    if (present.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

int wave_signal() { return noted; }

void end_by_signal(int signal) {
  std::fflush(nullptr);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::abort();
}

}  // namespace rivulet
