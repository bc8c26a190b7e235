// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Narrows a valid/ready stream: a beat of Ratio parts leaves as Ratio beats of one part, the lowest
 * part first. The last beat of a request can hold fewer: only its first in_parts_i parts leave.
 *
 * Latency 0. Throughput: one part per cycle, also from beat to beat. Uncut: in_valid_i and in_i to
 * out_valid_o and out_o, out_ready_i to in_ready_o. Ratio 1 is wires.
 */
module rivulet_stream_narrow #(
  parameter  int unsigned Width  = 32,                // bits of a part
  parameter  int unsigned Ratio  = 2,
  localparam int unsigned PartsW = $clog2(Ratio + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   in_valid_i,
  output logic                   in_ready_o,
  input  logic [Ratio*Width-1:0] in_i,
  input  logic                   in_last_i,    // last beat of a request,
  input  logic [     PartsW-1:0] in_parts_i,   // of which so many parts hold data, 1 to Ratio
  output logic                   out_valid_o,
  input  logic                   out_ready_i,
  output logic [      Width-1:0] out_o,
  output logic                   out_last_o    // last part of a request
);

  if (Ratio < 1) begin : gen_bad_ratio
    $fatal(1, "rivulet_stream_narrow: a beat has one part or more");
  end

  logic [PartsW-1:0] part_q, part;  // part: counted from 1
  logic part_end;

  assign part        = part_q + PartsW'(1);
  assign part_end    = (part == (in_last_i ? in_parts_i : PartsW'(Ratio)));
  assign out_valid_o = in_valid_i;
  assign out_last_o  = in_last_i && part_end;
  assign in_ready_o  = out_ready_i && part_end;

  if (Ratio > 1) begin : gen_part
    assign out_o = Width'(in_i >> (part_q * Width));
  end else begin : gen_whole
    assign out_o = in_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) part_q <= '0;
    else if (out_valid_o && out_ready_i) part_q <= part_end ? '0 : part;
  end

endmodule
