// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * What a pass may ask of rivulet_pass_ctrl: a tile that was loaded, a segment that covers its lanes,
 * columns that exist. And: every cycle has exactly one name.
 */
`include "rivulet_assert.svh"

module rivulet_pass_ctrl_props
  import rivulet_pkg::*;
#(
  parameter int unsigned PsumDepth = 8192
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         pass_valid_i,
  input logic         pass_ready_o,
  input pass_t        pass_i,
  input logic  [ 7:0] tile_lanes,
  input logic         segment_empty,
  input logic  [ 7:0] segment_lanes,
  input logic  [15:0] segment_columns,
  input logic         take,
  input logic  [ 7:0] tile_q_lanes,
  input logic         fire_o,
  input wait_t        wait_o
);

  logic loaded_q;
  logic [7:0] lanes;
  logic kept;  // its columns are kept as partial sums, before or after it

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) loaded_q <= 1'b0;
    else if (take) loaded_q <= 1'b1;
  end

  assign lanes = pass_i.next_tile ? tile_lanes : tile_q_lanes;
  assign kept  = !(pass_i.first && pass_i.last);

  `ASSERT_STABLE(PassStable_A, pass_valid_i, pass_ready_o, pass_i)
  `ASSERT(TileLoaded_A, !take || pass_i.next_tile || loaded_q)
  `ASSERT(LanesCovered_A, !take || segment_empty || (segment_lanes >= lanes))
  `ASSERT(BaseAligned_A, !pass_valid_i || (pass_i.base[1:0] == '0))
  `ASSERT(ColumnsFit_A, !take || !kept || (32'(pass_i.base) + 32'(segment_columns) <= PsumDepth))
  `ASSERT(OneName_A, $onehot({fire_o, wait_o}))

endmodule

bind rivulet_pass_ctrl rivulet_pass_ctrl_props #(
  .PsumDepth(Edges << WordW)
) u_props (
  .segment_empty  (segment_i.empty),
  .segment_lanes  (segment_i.lanes),
  .segment_columns(segment_i.columns),
  .tile_lanes     (tile_i.lanes),
  .tile_q_lanes   (tile_q.lanes),
  .*
);
