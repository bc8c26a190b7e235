// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of every stream of rivulet_tile, and the limits of its commands. */
`include "rivulet_assert.svh"

module rivulet_tile_props
  import rivulet_pkg::*;
#(
  parameter int unsigned Positions = 8,
  parameter int unsigned AlignW    = 16,
  parameter int unsigned Group     = 128,
  parameter int unsigned PsumDepth = 8192,
  parameter int unsigned XTiles    = 64,
  parameter int unsigned Q8Only    = 0,
  parameter int unsigned LinkBits  = 256,
  parameter int unsigned SideLanes = 32,
  parameter int unsigned XValues   = 16,
  parameter int unsigned YRows     = 2
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    load_valid_i,
  input logic                    load_ready_o,
  input load_t                   load_i,
  input logic                    x_valid_i,
  input logic                    x_ready_o,
  input logic  [ 16*XValues-1:0] x_i,
  input logic                    read_valid_i,
  input logic                    read_ready_o,
  input read_t                   read_i,
  input logic                    word_valid_i,
  input logic                    word_ready_o,
  input logic  [ 4*LinkBits-1:0] word_i,
  input logic                    w_valid_i,
  input logic                    w_ready_o,
  input logic  [8*SideLanes-1:0] w_i,
  input logic                    scale_valid_i,
  input logic                    scale_ready_o,
  input beat_t                   scale_i,
  input logic                    pass_valid_i,
  input logic                    pass_ready_o,
  input pass_t                   pass_i,
  input logic                    y_valid_o,
  input logic                    y_ready_i,
  input logic  [   64*YRows-1:0] y_o,
  input logic  [  128*YRows-1:0] acc_o,
  input logic                    y_last_o
);

  `ASSERT_STABLE(LoadStable_A, load_valid_i, load_ready_o, load_i)
  `ASSERT_STABLE(XStable_A, x_valid_i, x_ready_o, x_i)
  `ASSERT_STABLE(ReadStable_A, read_valid_i, read_ready_o, read_i)
  `ASSERT_STABLE(WordStable_A, word_valid_i, word_ready_o, word_i)
  `ASSERT_STABLE(WStable_A, w_valid_i, w_ready_o, w_i)
  `ASSERT_STABLE(ScaleStable_A, scale_valid_i, scale_ready_o, scale_i)
  `ASSERT_STABLE(PassStable_A, pass_valid_i, pass_ready_o, pass_i)
  `ASSERT_STABLE(YStable_A, y_valid_o, y_ready_i, {y_last_o, acc_o, y_o})

  // Limits of the commands.
  logic rows_legal, load_lanes_legal, load_align_legal, slot_legal;
  logic columns_legal, read_lanes_legal, read_align_legal, stream_legal;

  assign rows_legal       = (load_i.rows - 8'd1 < 8'(Positions));
  assign load_lanes_legal = (load_i.lanes >= 8'd1) && (32'(load_i.lanes) <= Group);
  assign load_align_legal = (load_i.align_w >= 5'd9) && (32'(load_i.align_w) <= AlignW);
  assign slot_legal       = !(load_i.keep || load_i.from_store) || (32'(load_i.slot) + 1 <= XTiles);
  assign columns_legal    = (read_i.columns >= 16'd1) && (32'(read_i.columns) <= PsumDepth);
  assign read_lanes_legal = (read_i.lanes >= 8'd1) && (32'(read_i.lanes) <= Group);
  assign read_align_legal = (read_i.align_w >= 5'd9) && (32'(read_i.align_w) <= AlignW);
  assign stream_legal     = (Q8Only == 0) || read_i.bf16 || (read_i.tier inside {TierQ8, TierQ0});

  `ASSERT(LoadRows_A, !load_valid_i || rows_legal)
  `ASSERT(LoadLanes_A, !load_valid_i || load_lanes_legal)
  `ASSERT(LoadAlign_A, !load_valid_i || load_align_legal)
  `ASSERT(LoadSlot_A, !load_valid_i || slot_legal)
  `ASSERT(ReadColumns_A, !read_valid_i || columns_legal)
  `ASSERT(ReadLanes_A, !read_valid_i || read_lanes_legal)
  `ASSERT(ReadAlign_A, !read_valid_i || !read_i.bf16 || read_align_legal)
  `ASSERT(ReadStream_A, !read_valid_i || stream_legal)

endmodule

bind rivulet_tile rivulet_tile_props #(
  .Positions(Positions),
  .AlignW   (AlignW),
  .Group    (Group),
  .PsumDepth(PsumDepth),
  .XTiles   (XTiles),
  .Q8Only   (Q8Only),
  .LinkBits (LinkBits),
  .SideLanes(SideLanes),
  .XValues  (XValues),
  .YRows    (YRows)
) u_props (.*);
