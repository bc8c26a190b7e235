// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of every stream of rivulet_tile, and the limits of a pass (pass_t). */
`include "rivulet_assert.svh"

module rivulet_tile_props
  import rivulet_pkg::*;
#(
  parameter int unsigned Positions = 8,
  parameter int unsigned AlignW    = 16,
  parameter int unsigned Group     = 128,
  parameter int unsigned PsumDepth = 512,
  parameter int unsigned Q8Only    = 0,
  parameter int unsigned LinkBits  = 256
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   pass_valid_i,
  input logic                   pass_ready_o,
  input pass_t                  pass_i,
  input logic                   x_valid_i,
  input logic                   x_ready_o,
  input beat_t                  x_i,
  input logic                   word_valid_i,
  input logic                   word_ready_o,
  input logic  [4*LinkBits-1:0] word_i,
  input logic                   w_valid_i,
  input logic                   w_ready_o,
  input logic  [  LinkBits-1:0] w_i,
  input logic                   scale_valid_i,
  input logic                   scale_ready_o,
  input beat_t                  scale_i,
  input logic                   y_valid_o,
  input logic                   y_ready_i,
  input beat_t                  y_o,
  input logic  [         127:0] acc_o,
  input logic                   y_last_o,
  // Inside
  input logic                   beat_valid,
  input logic                   route_valid
);

  `ASSERT_STABLE(PassStable_A, pass_valid_i, pass_ready_o, pass_i)
  `ASSERT_STABLE(XStable_A, x_valid_i, x_ready_o, x_i)
  `ASSERT_STABLE(WordStable_A, word_valid_i, word_ready_o, word_i)
  `ASSERT_STABLE(WStable_A, w_valid_i, w_ready_o, w_i)
  `ASSERT_STABLE(ScaleStable_A, scale_valid_i, scale_ready_o, scale_i)
  `ASSERT_STABLE(YStable_A, y_valid_o, y_ready_i, {y_last_o, acc_o, y_o})

  // Sizes of a pass.
  logic columns_legal, lanes_legal, rows_legal, align_legal, transpose_legal, stream_legal;

  assign columns_legal   = (pass_i.columns >= 16'd1) && (32'(pass_i.columns) <= PsumDepth);
  assign lanes_legal     = (pass_i.lanes >= 8'd1) && (32'(pass_i.lanes) <= Group);
  assign rows_legal      = (pass_i.rows >= 8'd1) && (32'(pass_i.rows) <= Positions);
  assign align_legal     = (pass_i.align_w >= 5'd9) && (32'(pass_i.align_w) <= AlignW);
  assign transpose_legal = (pass_i.stream != StreamBf16) && (32'(pass_i.columns) <= Group);
  assign stream_legal    = (Q8Only == 0) || (pass_i.stream inside {StreamQ8, StreamBf16});

  `ASSERT(ColumnsLegal_A, !pass_valid_i || columns_legal)
  `ASSERT(LanesLegal_A, !pass_valid_i || lanes_legal)
  `ASSERT(RowsLegal_A, !pass_valid_i || !pass_i.load || rows_legal)
  `ASSERT(AlignLegal_A,
          !pass_valid_i || !(pass_i.load || pass_i.stream == StreamBf16) || align_legal)
  `ASSERT(TransposeLegal_A, !pass_valid_i || !pass_i.transpose || transpose_legal)
  `ASSERT(StreamLegal_A, !pass_valid_i || stream_legal)

  // Order of passes: a job begins with `first` and ends with `last`, and keeps its size; a tile is
  // loaded before use.
  logic open_q, loaded_q;
  logic [15:0] columns_q;
  logic [ 7:0] rows_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q   <= 1'b0;
      loaded_q <= 1'b0;
    end else if (pass_valid_i && pass_ready_o) begin
      open_q   <= !pass_i.last;
      loaded_q <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (pass_valid_i && pass_ready_o) begin
      columns_q <= pass_i.columns;
      if (pass_i.load) rows_q <= pass_i.rows;
    end
  end
  `ASSERT(JobOrder_A, !pass_valid_i || (pass_i.first == !open_q))
  `ASSERT(TileLoaded_A, !pass_valid_i || pass_i.load || loaded_q)
  `ASSERT(ColumnsHold_A, !(pass_valid_i && open_q) || (pass_i.columns == columns_q))
  `ASSERT(RowsHold_A, !(pass_valid_i && open_q && pass_i.load) || (pass_i.rows == rows_q))

  // The destination of a beat is known when the beat arrives.
  `ASSERT(RouteKnown_A, !beat_valid || route_valid)

endmodule

bind rivulet_tile rivulet_tile_props #(
  .Positions(Positions),
  .AlignW   (AlignW),
  .Group    (Group),
  .PsumDepth(PsumDepth),
  .Q8Only   (Q8Only),
  .LinkBits (LinkBits)
) u_props (.*);
