// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Banks of the transposing buffer: a bank per byte of a beat, two buffers of words.
 *
 * Beat a of a block lies in word a of the banks, swapped: place j of a unit in the beat goes to the
 * bank of place j ^ s, where s is a field of a that counts lanes (wr_swap_i). So a beat of one lane
 * (or a few), and one place of many lanes, both meet every bank once: bank k reads the word whose
 * field s is flipped by k, and rd_swap_i puts the bytes in order. A write and a read per cycle. A read takes two
 * cycles: read_i fills the registers of the banks, move_i those behind them; rd_data_o is
 * combinational in rd_swap_i from there. Not initialized.
 */
module rivulet_transpose_banks
  import rivulet_pkg::*;
  import rivulet_transpose_pkg::*;
#(
  parameter  int unsigned Lanes    = 32,
  parameter  int unsigned Group    = 128,
  localparam int unsigned LogLanes = $clog2(Lanes),
  localparam int unsigned LogGroup = $clog2(Group),
  localparam int unsigned AddrW    = 2 * LogGroup - LogLanes
) (
  input  logic                   clk_i,
  // Write; the uppermost bit of an address is the buffer
  input  logic                   write_i,
  input  logic    [     AddrW:0] wr_addr_i,
  input  logic    [LogLanes-1:0] wr_swap_i,
  input  logic    [ 8*Lanes-1:0] wr_data_i,
  // Read
  input  logic                   read_i,
  input  logic    [     AddrW:0] rd_addr_i,
  input  stream_e                rd_stream_i,
  input  logic                   move_i,
  input  logic    [LogLanes-1:0] rd_swap_i,    // of the row that leaves
  output logic    [ 8*Lanes-1:0] rd_data_o
);

  typedef logic [8*Lanes-1:0] row_t;
  typedef logic [AddrW-1:0] addr_t;

  row_t in_swapped, word_q, data_q;

  rivulet_butterfly #(
    .LogColumns(LogLanes),
    .ColumnW   (8)
  ) u_wr_butterfly (
    .data_i  (wr_data_i),
    .select_i(wr_swap_i),
    .data_o  (in_swapped)
  );

  for (genvar k = 0; k < Lanes; k++) begin : gen_bank
    (* ram_style = "block" *) logic [7:0] mem[2<<AddrW];
    logic [7:0] mem_q;
    addr_t [3:0] flip;

    for (genvar t = 0; t < 4; t++) begin : gen_stream
      assign flip[t] = addr_t'((k >> log_step(
          t
      )) % (1 << log_swaps(
          t, LogGroup, LogLanes
      ))) << log_beats(
          t, LogGroup, LogLanes
      );
    end
    always_ff @(posedge clk_i) begin
      if (write_i) mem[wr_addr_i] <= in_swapped[8*k+:8];
      if (read_i) mem_q <= mem[{rd_addr_i[AddrW], rd_addr_i[AddrW-1:0]^flip[rd_stream_i]}];
    end
    assign word_q[8*k+:8] = mem_q;
  end

  always_ff @(posedge clk_i) if (move_i) data_q <= word_q;

  rivulet_butterfly #(
    .LogColumns(LogLanes),
    .ColumnW   (8)
  ) u_rd_butterfly (
    .data_i  (data_q),
    .select_i(rd_swap_i),
    .data_o  (rd_data_o)
  );

endmodule
