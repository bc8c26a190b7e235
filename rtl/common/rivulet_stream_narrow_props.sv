// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_stream_narrow, and the number of parts of a last beat. */
`include "rivulet_assert.svh"

module rivulet_stream_narrow_props #(
  parameter  int unsigned Width  = 32,
  parameter  int unsigned Ratio  = 2,
  localparam int unsigned PartsW = $clog2(Ratio + 1)
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   in_valid_i,
  input logic                   in_ready_o,
  input logic [Ratio*Width-1:0] in_i,
  input logic                   in_last_i,
  input logic [     PartsW-1:0] in_parts_i,
  input logic                   out_valid_o,
  input logic                   out_ready_i,
  input logic [      Width-1:0] out_o,
  input logic                   out_last_o
);

  logic parts_legal;
  assign parts_legal = (32'(in_parts_i) - 32'd1 < Ratio);

  `ASSERT(PartsLegal_A, !(in_valid_i && in_last_i) || parts_legal)
  `ASSERT_STABLE(InStable_A, in_valid_i, in_ready_o, {in_last_i, in_i})
  `ASSERT_STABLE(PartsStable_A, in_valid_i && in_last_i, in_ready_o, in_parts_i)
  `ASSERT_STABLE(OutStable_A, out_valid_o, out_ready_i, {out_last_o, out_o})

endmodule

bind rivulet_stream_narrow rivulet_stream_narrow_props #(
  .Width(Width),
  .Ratio(Ratio)
) u_props (.*);
