// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// --trace of a test program: its models are built without waves, those of its twin with them.

#pragma once

namespace rivulet {

// Runs the twin of this program in its place, unless this is one; builds it first if need be. Of
// several twins, one for each configuration, it is that of --config, or of the configuration that
// --filter ends with, or the first. Throws VariantError, or std::invalid_argument if this program
// runs no RTL or has no such configuration.
void run_traced_twin();

}  // namespace rivulet
