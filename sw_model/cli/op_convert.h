// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The operation `convert`: stored q8 codes through the precision converter.
//
// The cycle and RTL targets are checked beat for beat against the golden one (Mismatch).
// Arithmetic: docs/numerics.md §9 and §10.

#include "sw_model/cli/operation.h"

namespace rivulet {

class ConvertOperation : public Operation {
 public:
  const OperationSpec& spec() const override;
  OpResult run(const OpRequest& request) const override;
};

}  // namespace rivulet
