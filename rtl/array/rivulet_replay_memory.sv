// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Memory of the replay buffer: Depth words of Banks banks, each bank with its own write enable.
 *
 * One write and one read per cycle. A read takes two cycles: memory register, output register, both
 * part of a block RAM or UltraRAM; the output then stays until the next word that was read. A word
 * can be read from the cycle after its write on; a bank that is written in the cycle in which it is
 * read gives any value (no_rw_check: else Yosys adds registers for the old one). Not initialized.
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

  // Slices of at most 64 bits: any block RAM holds them at full depth as cheaply as side by side in
  // a wider shape, so that no multiplexer stands behind a deep memory; an UltraRAM is 72 bits wide.
  localparam int unsigned SliceW = (BankW < 64) ? BankW : 64;
  localparam int unsigned Slices = BankW / SliceW;

  if (Slices * SliceW != BankW) begin : gen_width_check
    $fatal(1, "rivulet_replay_memory: BankW is %0d, must be a multiple of 64, or less", BankW);
  end

  for (genvar s = 0; s < Banks * Slices; s++) begin : gen_slice
    (* no_rw_check, ram_style = (Ultra != 0) ? "ultra" : "block" *)
    logic [SliceW-1:0] mem[Depth];
    logic [SliceW-1:0] data_q;
    always_ff @(posedge clk_i) begin
      if (we_i[s/Slices]) mem[wr_addr_i] <= wr_data_i[SliceW*s+:SliceW];
      if (rd_i) data_q <= mem[rd_addr_i];
      if (rd_q) rd_data_o[SliceW*s+:SliceW] <= data_q;
    end
  end

endmodule
