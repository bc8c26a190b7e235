// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What every program does before anything else: its streams and signals as the rest expects them.
//
// - Descriptors 0 to 2 that are closed are opened, so that no file gets their number and messages
//   into it. Reading or writing them still fails.
// - A file over the limit of the shell, and a pipe that nobody reads, are errors of writing and not
//   the end of the process (SIGXFSZ, SIGPIPE).

namespace rivulet {

void prepare_process();

}  // namespace rivulet
