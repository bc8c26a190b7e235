// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_tile_loader. */
`include "rivulet_assert.svh"

module rivulet_tile_loader_props
  import rivulet_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input logic        job_valid_i,
  input logic        job_ready_o,
  input logic  [7:0] job_rows_i,
  input logic  [7:0] job_lanes_i,
  input logic  [4:0] job_align_w_i,
  input logic        x_valid_i,
  input logic        x_ready_o,
  input beat_t       x_i,
  input logic        tile_ready_o,
  input logic        tile_take_i
);

  `ASSERT_STABLE(JobStable_A, job_valid_i, job_ready_o, {job_rows_i, job_lanes_i, job_align_w_i})
  `ASSERT_STABLE(XStable_A, x_valid_i, x_ready_o, x_i)
  `ASSERT(TakeReady_A, !tile_take_i || tile_ready_o)

endmodule

bind rivulet_tile_loader rivulet_tile_loader_props u_props (.*);
