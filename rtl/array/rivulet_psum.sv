// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Partial sums of one position and one edge unit: Depth FP32 words.
 *
 * A read and a write per cycle. rd_data_o shows the word two cycles after rd_i: one register in the
 * memory, one behind it. A read that meets a write of the same word is not allowed (rivulet_edge
 * keeps them apart). Not initialized: the first pass of a job writes before anything is read.
 */
module rivulet_psum
  import rivulet_pkg::*;
#(
  parameter  int unsigned Depth = 2048,
  localparam int unsigned AddrW = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic              clk_i,
  input  logic              rd_i,
  input  logic  [AddrW-1:0] rd_addr_i,
  output fp32_t             rd_data_o,
  input  logic              wr_i,
  input  logic  [AddrW-1:0] wr_addr_i,
  input  fp32_t             wr_data_i
);

  // The two-port memory blocks of a device come in two sizes.
  (* ram_style = (Depth >= 2048) ? "ultra" : "block" *)
  fp32_t mem[Depth];
  fp32_t data_q;
  logic rd_q;

  always_ff @(posedge clk_i) begin
    if (wr_i) mem[wr_addr_i] <= wr_data_i;
    if (rd_i) data_q <= mem[rd_addr_i];
    if (rd_q) rd_data_o <= data_q;
    rd_q <= rd_i;
  end

endmodule
