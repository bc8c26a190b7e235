// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The operations `kv-basis` and `kv-encode`: the basis of KV entries, and entries as they are
// stored.
//
// Both are done on the host so far: targets with a clock are refused (InputError), and so are NaN
// and Inf. Arithmetic: docs/numerics.md §14.1 and §14.2.

#include "sw_model/cli/operation.h"

namespace rivulet {

class KvBasisOperation : public Operation {
 public:
  const OperationSpec& spec() const override;
  OpResult run(const OpRequest& request) const override;
};

class KvEncodeOperation : public Operation {
 public:
  const OperationSpec& spec() const override;
  OpResult run(const OpRequest& request) const override;
};

}  // namespace rivulet
