// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

`include "rivulet_assert.svh"

/**
 * Carries each assertion macro once, on inputs that a test sets at will: legal traffic must pass, each
 * violation must be reported. No logic.
 */
module rivulet_assert_bench (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       always_i,
  input logic       pre_i,
  input logic       post_i,
  input logic       valid_i,
  input logic       ready_i,
  input logic [7:0] data_i
);

  `ASSERT(Always_A, always_i)
  `ASSERT_NEXT(Next_A, pre_i, post_i)
  `ASSERT_STABLE(Stable_A, valid_i, ready_i, data_i)

endmodule
