// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_x_store, and commands that it can carry out. */
`include "rivulet_assert.svh"

module rivulet_x_store_props
  import rivulet_pkg::*;
#(
  parameter int unsigned XValues   = 16,
  parameter int unsigned Positions = 8,
  parameter int unsigned Group     = 128,
  parameter int unsigned XTiles    = 64
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   load_valid_i,
  input logic                   load_ready_o,
  input load_t                  load_i,
  input logic                   x_valid_i,
  input logic                   x_ready_o,
  input logic  [16*XValues-1:0] x_i,
  input logic                   job_valid_o,
  input logic                   job_ready_i,
  input logic  [           7:0] job_rows_o,
  input logic  [           7:0] job_lanes_o,
  input logic  [           4:0] job_align_w_o,
  input logic                   out_valid_o,
  input logic                   out_ready_i,
  input logic  [16*XValues-1:0] out_o
);

  `ASSERT_STABLE(LoadStable_A, load_valid_i, load_ready_o, load_i)
  `ASSERT_STABLE(XStable_A, x_valid_i, x_ready_o, x_i)
  `ASSERT_STABLE(JobStable_A, job_valid_o, job_ready_i, {job_rows_o, job_lanes_o, job_align_w_o})
  `ASSERT_STABLE(OutStable_A, out_valid_o, out_ready_i, out_o)

  `ASSERT(RowsLegal_A, !load_valid_i || (load_i.rows - 8'd1 < 8'(Positions)))
  `ASSERT(LanesLegal_A, !load_valid_i || (load_i.lanes - 8'd1 < 8'(Group)))
  logic slot_exists;
  assign slot_exists = (33'(load_i.slot) + 33'd1 <= 33'(XTiles));
  `ASSERT(SlotExists_A, !load_valid_i || !(load_i.from_store || load_i.keep) || slot_exists)
  `ASSERT(KeepFromPort_A, !load_valid_i || !(load_i.from_store && load_i.keep))

endmodule

bind rivulet_x_store rivulet_x_store_props #(
  .XValues  (XValues),
  .Positions(Positions),
  .Group    (Group),
  .XTiles   (XTiles)
) u_props (.*);
