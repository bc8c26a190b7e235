// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Who owns a half of the partial sums in rivulet_array: one job waits for the drain at most, and no
 * beat enters for the half that is being read out. */
`include "rivulet_assert.svh"

module rivulet_array_props (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       fire,
  input logic       half,
  input logic [1:0] job_pending_q,
  input logic       drain_rd,
  input logic       drain_rd_half
);

  `ASSERT(OneJobWaits_A, job_pending_q != 2'b11)
  `ASSERT(DrainAlone_A, !(drain_rd && fire && (half == drain_rd_half)))

endmodule

bind rivulet_array rivulet_array_props u_props (.*);
