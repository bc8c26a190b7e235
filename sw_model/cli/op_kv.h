// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The operations `kv-basis`, `kv-encode` and `kv-rank`: the basis of KV entries, entries as they
// are stored, and the widths that scores give them.
//
// All are done on the host so far: targets with a clock are refused (InputError), and so are NaN
// and Inf in entries. Arithmetic: docs/numerics.md §13, §14.1 and §14.2.

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

class KvRankOperation : public Operation {
 public:
  const OperationSpec& spec() const override;
  OpResult run(const OpRequest& request) const override;
};

}  // namespace rivulet
