// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Memory of the replay buffer: Depth words of Banks banks, each bank with its own write enable.
 *
 * One write and one read per cycle. A read takes two cycles: memory register, output register, both
 * part of a block RAM or UltraRAM; the output then stays until the next word that was read. A word
 * can be read from the cycle after its write on; a bank that is written in the cycle in which it is
 * read gives any value. Not initialized.
 */
module rivulet_replay_memory #(
  parameter  int unsigned Banks = 1,
  parameter  int unsigned BankW = 64,
  parameter  int unsigned Depth = 64,
  parameter  int unsigned Ultra = 0,                               // 1: UltraRAM, 0: block RAM
  localparam int unsigned AddrW = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [      Banks-1:0] we_i,
  input  logic [      AddrW-1:0] wr_addr_i,
  input  logic [Banks*BankW-1:0] wr_data_i,
  input  logic                   rd_i,
  input  logic [      AddrW-1:0] rd_addr_i,
  output logic [Banks*BankW-1:0] rd_data_o
);

  if (Ultra > 1) begin : gen_ultra_check
    $fatal(1, "rivulet_replay_memory: Ultra is %0d, must be 0 or 1", Ultra);
  end

  logic rd_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rd_q <= 1'b0;
    else rd_q <= rd_i;
  end

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    (* ram_style = (Ultra != 0) ? "ultra" : "block" *)
    logic [BankW-1:0] mem[Depth];
    logic [BankW-1:0] data_q;
    always_ff @(posedge clk_i) begin
      if (we_i[b]) mem[wr_addr_i] <= wr_data_i[BankW*b+:BankW];
      if (rd_i) data_q <= mem[rd_addr_i];
      if (rd_q) rd_data_o[BankW*b+:BankW] <= data_q;
    end
  end

endmodule
