// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * rivulet_stream_narrow: of each beat exactly its parts leave, lowest first, and the beat is accepted
 * with the last of them; its bound properties hold.
 *
 * part_i is free but steady within a beat: it picks any one part of the beat.
 */
`include "rivulet_assert.svh"

module proof_stream_narrow #(
  parameter  int unsigned Ratio  = 2,
  localparam int unsigned PartsW = $clog2(Ratio + 1)
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               in_valid_i,
  input logic [2*Ratio-1:0] in_i,
  input logic               in_last_i,
  input logic [ PartsW-1:0] in_parts_i,
  input logic               out_ready_i,
  input logic [ PartsW-1:0] part_i
);

  logic in_ready, out_valid, out_last;
  logic [1:0] out;

  rivulet_stream_narrow #(
    .Width(2),
    .Ratio(Ratio)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_ready_o (in_ready),
    .in_i,
    .in_last_i,
    .in_parts_i,
    .out_valid_o(out_valid),
    .out_ready_i,
    .out_o      (out),
    .out_last_o (out_last)
  );

  proof_reset u_reset (.*);

  // An own count of the parts of this beat that have left.
  logic [31:0] left_q;
  logic [31:0] parts;
  assign parts = in_last_i ? 32'(in_parts_i) : Ratio;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_q <= '0;
    else if (in_valid_i && in_ready) left_q <= '0;
    else if (out_valid && out_ready_i) left_q <= left_q + 32'd1;
  end

  logic picked;  // the part that leaves now is the one that was picked
  assign picked = out_valid && (left_q == 32'(part_i)) && (32'(part_i) < Ratio);

  `ASSERT(Part_A, !picked || out == 2'(in_i >> (2 * part_i)))
  `ASSERT(Parts_A, !out_valid || left_q < parts)
  `ASSERT(Accepted_A, !in_valid_i || in_ready == (out_ready_i && left_q + 32'd1 == parts))
  `ASSERT(Last_A, !out_valid || out_last == (in_last_i && left_q + 32'd1 == parts))

endmodule
