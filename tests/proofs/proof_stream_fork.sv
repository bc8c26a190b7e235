// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * rivulet_stream_fork: its bound properties (each selected output takes each word once) hold, an
 * output that is not selected is offered nothing, and a word that all have or take is accepted.
 */
`include "rivulet_assert.svh"

module proof_stream_fork #(
  parameter int unsigned Outputs = 2
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               valid_i,
  input logic [Outputs-1:0] select_i,
  input logic [Outputs-1:0] ready_i
);

  logic ready;
  logic [Outputs-1:0] valid;

  rivulet_stream_fork #(
    .Outputs(Outputs)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .valid_i,
    .ready_o(ready),
    .select_i,
    .valid_o(valid),
    .ready_i
  );

  proof_reset u_reset (.*);

  `ASSERT(Selected_A, (valid & ~select_i) == '0)
  `ASSERT(NoWait_A, !valid_i || ready || (valid & ~ready_i) != '0)

endmodule
