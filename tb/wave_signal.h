// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// An interrupt (SIGINT, SIGTERM, SIGHUP) while waves are written: the file is completed first.

#pragma once

namespace rivulet {

// From now on the first signal is only noted; a second one ends the process as usual.
void note_wave_signals();
// The signal noted, or 0.
int wave_signal();
// Ends the process by this signal, as if it had not been noted.
[[noreturn]] void end_by_signal(int signal);

}  // namespace rivulet
