// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_stream_fork, and one transfer per word at each selected output. */
`include "rivulet_assert.svh"

module rivulet_stream_fork_props #(
  parameter int unsigned Outputs = 2
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               valid_i,
  input logic               ready_o,
  input logic [Outputs-1:0] select_i,
  input logic [Outputs-1:0] valid_o,
  input logic [Outputs-1:0] ready_i
);

  `ASSERT_STABLE(InStable_A, valid_i, ready_o, select_i)

  for (genvar i = 0; i < int'(Outputs); i++) begin : gen_outputs
    // An own account: transfers at the output, less words for it that have left the input.
    logic ahead_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        ahead_q <= 1'b0;
      end else if (valid_i && ready_o) begin
        ahead_q <= 1'b0;
      end else if (valid_o[i] && ready_i[i]) begin
        ahead_q <= 1'b1;
      end
    end

    `ASSERT_NEXT(OutStable_A, valid_o[i] && !ready_i[i], valid_o[i])
    `ASSERT(Once_A, !(valid_o[i] && ahead_q))
    `ASSERT(EveryOutput_A,
            !(valid_i && ready_o && select_i[i]) || ahead_q || (valid_o[i] && ready_i[i]))
  end

endmodule

bind rivulet_stream_fork rivulet_stream_fork_props #(.Outputs(Outputs)) u_props (.*);
