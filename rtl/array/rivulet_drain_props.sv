// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Rules of rivulet_drain: a waiting result holds, and no more quads are done than are allocated. */
`include "rivulet_assert.svh"

module rivulet_drain_props #(
  parameter int unsigned Positions = 8,
  parameter int unsigned Quads     = 128,
  parameter int unsigned YRows     = 2
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 alloc_valid_i,
  input logic                 alloc_ready_o,
  input logic [          7:0] alloc_rows_i,
  input logic [          2:0] alloc_columns_i,
  input logic                 quad_done_i,
  input logic                 y_valid_o,
  input logic                 y_ready_i,
  input logic [ 64*YRows-1:0] y_o,
  input logic [128*YRows-1:0] acc_o,
  input logic                 y_last_o
);

  logic [15:0] open_q;  // allocated, not done

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= '0;
    else open_q <= open_q + 16'(alloc_valid_i && alloc_ready_o) - 16'(quad_done_i);
  end

  `ASSERT(Rows_A, !alloc_valid_i || (alloc_rows_i - 8'd1 < 8'(Positions)))
  `ASSERT(Columns_A, !alloc_valid_i || (alloc_columns_i >= 3'd1 && alloc_columns_i <= 3'd4))
  `ASSERT(DoneAllocated_A, !quad_done_i || open_q != '0)
  `ASSERT(Quads_A, 32'(open_q) <= Quads)
  `ASSERT_STABLE(YStable_A, y_valid_o, y_ready_i, {y_last_o, acc_o, y_o})

endmodule

bind rivulet_drain rivulet_drain_props #(
  .Positions(Positions),
  .Quads    (Quads),
  .YRows    (YRows)
) u_props (.*);
