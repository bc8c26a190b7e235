// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Technology cell: memory with one write port and four read ports. A write takes effect at the
 * clock edge, reads are combinational and show the old word until then. Not initialized. LUT
 * memory at every depth: the output of a block memory is slower than the adder behind it.
 *
 * This is the behaviour; tech/xilinx holds the same module with the columns of all four ports
 * packed into LUT memories, which synthesis for AMD devices uses instead.
 */
module rivulet_table_ram #(
  parameter  int unsigned Width = 18,
  parameter  int unsigned Depth = 32,
  localparam int unsigned AddrW = $clog2(Depth)
) (
  input  logic               clk_i,
  input  logic               we_i,
  input  logic [  AddrW-1:0] we_addr_i,
  input  logic [  Width-1:0] we_data_i,
  input  logic [4*AddrW-1:0] rd_addr_i,
  output logic [  Width-1:0] rd_data0_o,
  output logic [  Width-1:0] rd_data1_o,
  output logic [  Width-1:0] rd_data2_o,
  output logic [  Width-1:0] rd_data3_o
);

  (* ram_style = "distributed" *)
  logic [Width-1:0] mem[Depth];

  always_ff @(posedge clk_i) if (we_i) mem[we_addr_i] <= we_data_i;

  assign rd_data0_o = mem[rd_addr_i[AddrW-1:0]];
  assign rd_data1_o = mem[rd_addr_i[2*AddrW-1:AddrW]];
  assign rd_data2_o = mem[rd_addr_i[3*AddrW-1:2*AddrW]];
  assign rd_data3_o = mem[rd_addr_i[4*AddrW-1:3*AddrW]];

endmodule
