// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The operation `quantize`: real weights to stored q8 codes and BF16 scales, round to nearest even.
//
// Done once, offline, on the host: targets with a clock are refused (InputError), and so are NaN
// and Inf. Arithmetic: docs/numerics.md §11.

#include "sw_model/cli/operation.h"

namespace rivulet {

class QuantizeOperation : public Operation {
 public:
  const OperationSpec& spec() const override;
  OpResult run(const OpRequest& request) const override;
};

}  // namespace rivulet
