// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_fifo on both sides, and its fill level against an own count. */
`include "rivulet_assert.svh"

module rivulet_fifo_props #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 2
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic             ready_o,
  input logic [Width-1:0] data_i,
  input logic             valid_o,
  input logic             ready_i,
  input logic [Width-1:0] data_o
);

  int unsigned level_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      level_q <= '0;
    end else begin
      level_q <= level_q + 32'(valid_i && ready_o) - 32'(valid_o && ready_i);
    end
  end

  `ASSERT_STABLE(InStable_A, valid_i, ready_o, data_i)
  `ASSERT_STABLE(OutStable_A, valid_o, ready_i, data_o)
  `ASSERT(ValidIfNotEmpty_A, valid_o == (level_q != 0))
  `ASSERT(ReadyIfNotFull_A, ready_o || level_q == Depth)
  `ASSERT(Level_A, level_q <= Depth)

endmodule

bind rivulet_fifo rivulet_fifo_props #(
  .Width(Width),
  .Depth(Depth)
) u_props (.*);
