// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The operations `gemm` and `gemm-bf16`: one matrix product on a tile.
//
// The cycle and RTL targets are checked word for word against the golden one (Mismatch).
// Arithmetic: docs/numerics.md §7 and §8.

#include "sw_model/cli/operation.h"

namespace rivulet {

class GemmOperation : public Operation {
 public:
  const OperationSpec& spec() const override;
  std::vector<TensorSpec> inputs(const OpKeys& keys) const override;
  OpResult run(const OpRequest& request) const override;
};

class GemmBf16Operation : public Operation {
 public:
  const OperationSpec& spec() const override;
  std::vector<TensorSpec> inputs(const OpKeys& keys) const override;
  OpResult run(const OpRequest& request) const override;
};

}  // namespace rivulet
