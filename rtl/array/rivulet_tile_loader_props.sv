// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake and hand-over rules of rivulet_tile_loader. */
`include "rivulet_assert.svh"

module rivulet_tile_loader_props #(
  parameter int unsigned Positions   = 8,
  parameter int unsigned AlignW      = 16,
  parameter int unsigned Group       = 128,
  parameter int unsigned XValues     = 8,
  parameter int unsigned Selects     = 4,
  parameter int unsigned LookupDelay = 3
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  job_valid_i,
  input logic                  job_ready_o,
  input logic [           7:0] job_rows_i,
  input logic [           7:0] job_lanes_i,
  input logic [           4:0] job_align_w_i,
  input logic                  x_valid_i,
  input logic                  x_ready_o,
  input logic [16*XValues-1:0] x_i,
  input logic                  tile_ready_o,
  input logic                  tile_bank_o,
  input logic [           7:0] tile_rows_o,
  input logic [           7:0] tile_lanes_o,
  input logic [           4:0] tile_align_w_o,
  input logic                  tile_take_i,
  input logic [   Selects-1:0] we_o,
  input logic                  we_bank_o
);

  `ASSERT_STABLE(JobStable_A, job_valid_i, job_ready_o, {job_rows_i, job_lanes_i, job_align_w_i})
  `ASSERT_STABLE(XStable_A, x_valid_i, x_ready_o, x_i)
  `ASSERT(RowsLegal_A, !job_valid_i || (job_rows_i - 8'd1 < 8'(Positions)))
  `ASSERT(LanesLegal_A, !job_valid_i || (job_lanes_i - 8'd1 < 8'(Group)))
  `ASSERT(WidthLegal_A, !job_valid_i || (job_align_w_i - 5'd9 <= 5'(AlignW - 9)))
  `ASSERT_STABLE(TileStable_A, tile_ready_o, tile_take_i, {tile_bank_o, tile_rows_o, tile_lanes_o,
                                                           tile_align_w_o})
  `ASSERT(TakeReady_A, !tile_take_i || tile_ready_o)

  // Cycles since the last take, and the bank that it gave up.
  localparam int unsigned SinceW = $clog2(LookupDelay + 2);
  logic [SinceW-1:0] since_q;
  logic given_up_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      since_q    <= SinceW'(LookupDelay + 1);
      given_up_q <= 1'b0;
    end else if (tile_take_i) begin
      since_q    <= SinceW'(1);
      given_up_q <= !tile_bank_o;
    end else if (since_q <= SinceW'(LookupDelay)) begin
      since_q <= since_q + SinceW'(1);
    end
  end
  `ASSERT(GivenUpBankRests_A,
          (we_o == '0) || (we_bank_o != given_up_q) || (since_q > SinceW'(LookupDelay)))

endmodule

bind rivulet_tile_loader rivulet_tile_loader_props #(
  .Positions  (Positions),
  .AlignW     (AlignW),
  .Group      (Group),
  .XValues    (XValues),
  .Selects    (Selects),
  .LookupDelay(LookupDelay)
) u_props (.*);
