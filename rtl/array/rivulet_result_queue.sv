// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Words of the result queue: the memory of one position and one edge unit, Depth FP32 words (or
 * what rivulet_drain keeps beside them). Who writes and reads which word is decided by rivulet_drain.
 *
 * A read and a write per cycle, never of the same word. A read passes two registers, which move
 * only while step_i is high: rd_data_o shows the word of the step before the last one. Not
 * initialized.
 */
module rivulet_result_queue #(
  parameter  int unsigned Depth = 512,
  parameter  int unsigned Width = 32,
  localparam int unsigned AddrW = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic             clk_i,
  input  logic             wr_i,
  input  logic [AddrW-1:0] wr_addr_i,
  input  logic [Width-1:0] wr_data_i,
  input  logic             step_i,
  input  logic [AddrW-1:0] rd_addr_i,
  output logic [Width-1:0] rd_data_o
);

  logic [Width-1:0] mem[Depth];
  logic [Width-1:0] data_q;

  always_ff @(posedge clk_i) begin
    if (wr_i) mem[wr_addr_i] <= wr_data_i;
    if (step_i) begin
      data_q    <= mem[rd_addr_i];
      rd_data_o <= data_q;
    end
  end

endmodule
