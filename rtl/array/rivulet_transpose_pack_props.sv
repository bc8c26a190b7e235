// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_transpose_pack, and whole rows that leave one by one. */
`include "rivulet_assert.svh"

module rivulet_transpose_pack_props
  import rivulet_pkg::*;
#(
  parameter  int unsigned Lanes = 32,
  parameter  int unsigned Group = 128,
  localparam int unsigned Rows  = Group / Lanes,
  localparam int unsigned RowW  = (Rows > 1) ? $clog2(Rows) : 1
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  row_valid_i,
  input logic                  row_ready_o,
  input logic    [8*Lanes-1:0] row_i,
  input stream_e               row_stream_i,
  input logic                  row_complete_i,
  input logic    [   RowW-1:0] row_beats_i,
  input logic                  row_last_i,
  input logic                  out_valid_o,
  input logic                  out_ready_i,
  input logic    [8*Lanes-1:0] out_o,
  input logic                  out_last_o
);

  logic whole;
  assign whole = (row_stream_i == StreamQ8) || (row_stream_i == StreamBf16);

  `ASSERT(WholeRows_A, !row_valid_i || !whole || (row_complete_i && row_beats_i == '0))
  `ASSERT(BeatsFit_A, !row_valid_i || (32'(row_beats_i) < Rows))
  `ASSERT_STABLE(RowStable_A, row_valid_i, row_ready_o, {row_stream_i, row_complete_i, row_beats_i,
                                                         row_last_i, row_i})
  `ASSERT_STABLE(OutStable_A, out_valid_o, out_ready_i, {out_last_o, out_o})

endmodule

bind rivulet_transpose_pack rivulet_transpose_pack_props #(
  .Lanes(Lanes),
  .Group(Group)
) u_props (.*);
