// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Partial sums of one position and one edge unit: two halves of Depth FP32 words.
 *
 * While one half is updated by the edge unit (a read and a write per cycle), the other one can be
 * drained. A half is never used by both at a time: rivulet_array opens a half only when its drain
 * is done and starts a drain only when the last update is written. Both reads take one cycle. Not
 * initialized: the first pass of a job writes before anything is read.
 */
module rivulet_psum
  import rivulet_pkg::*;
#(
  parameter  int unsigned Depth = 512,
  localparam int unsigned AddrW = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic              clk_i,
  // Update
  input  logic              rd_i,
  input  logic              rd_half_i,
  input  logic  [AddrW-1:0] rd_addr_i,
  output fp32_t             rd_data_o,
  input  logic              wr_i,
  input  logic              wr_half_i,
  input  logic  [AddrW-1:0] wr_addr_i,
  input  fp32_t             wr_data_i,
  // Drain
  input  logic              drain_i,
  input  logic              drain_half_i,
  input  logic  [AddrW-1:0] drain_addr_i,
  output fp32_t             drain_data_o
);

  fp32_t data[2];
  logic rd_half_q, drain_half_q;

  for (genvar h = 0; h < 2; h++) begin : gen_half
    localparam logic Half = (h == 1);
    (* ram_style = "block" *)fp32_t             mem    [Depth];
    fp32_t             data_q;
    logic              rd;
    logic  [AddrW-1:0] addr;
    assign rd   = (rd_i && (rd_half_i == Half)) || (drain_i && (drain_half_i == Half));
    assign addr = (drain_i && (drain_half_i == Half)) ? drain_addr_i : rd_addr_i;
    always_ff @(posedge clk_i) begin
      if (wr_i && (wr_half_i == Half)) mem[wr_addr_i] <= wr_data_i;
      if (rd) data_q <= mem[addr];
    end
    assign data[h] = data_q;
  end

  always_ff @(posedge clk_i) begin
    if (rd_i) rd_half_q <= rd_half_i;
    if (drain_i) drain_half_q <= drain_half_i;
  end

  assign rd_data_o    = data[rd_half_q];
  assign drain_data_o = data[drain_half_q];

endmodule
