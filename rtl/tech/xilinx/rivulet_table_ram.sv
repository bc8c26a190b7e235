// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Technology cell: memory with one write port and four read ports, of LUT memories.
 *
 * A RAM32M16 has seven two-bit columns with a read address each beside the shared write address, so
 * the columns of all four ports share cells: ceil(4 * ceil(Width / 2) / 7) of them instead of
 * 4 * ceil(Width / 14). Up to 32 words; deeper memories are left to the tool. Behaviour:
 * tech/generic/rivulet_table_ram.sv.
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

  if (Depth <= 32) begin : gen_columns
    localparam int unsigned Pairs = (Width + 1) / 2;  // two-bit columns of a port
    localparam int unsigned Cells = (4 * Pairs + 6) / 7;
    localparam int unsigned Columns = 7 * Cells;

    logic [2*Pairs-1:0] we_data;
    logic [        4:0] we_addr;
    logic [        4:0] addr    [Columns];
    logic [        1:0] in      [Columns];
    logic [        1:0] out     [Columns];

    assign we_data = (2 * Pairs)'(we_data_i);
    assign we_addr = 5'(we_addr_i);

    for (genvar c = 0; c < Columns; c++) begin : gen_column
      if (c < 4 * Pairs) begin : gen_used
        assign addr[c] = 5'(rd_addr_i[AddrW*(c/Pairs)+:AddrW]);
        assign in[c]   = we_data[2*(c%Pairs)+:2];
      end else begin : gen_unused
        assign addr[c] = '0;
        assign in[c]   = '0;
      end
    end

    for (genvar k = 0; k < Cells; k++) begin : gen_cell
      RAM32M16 u_ram (
        .WCLK (clk_i),
        .WE   (we_i),
        .ADDRA(addr[7*k]),
        .ADDRB(addr[7*k+1]),
        .ADDRC(addr[7*k+2]),
        .ADDRD(addr[7*k+3]),
        .ADDRE(addr[7*k+4]),
        .ADDRF(addr[7*k+5]),
        .ADDRG(addr[7*k+6]),
        .ADDRH(we_addr),
        .DIA  (in[7*k]),
        .DIB  (in[7*k+1]),
        .DIC  (in[7*k+2]),
        .DID  (in[7*k+3]),
        .DIE  (in[7*k+4]),
        .DIF  (in[7*k+5]),
        .DIG  (in[7*k+6]),
        .DIH  (2'd0),
        .DOA  (out[7*k]),
        .DOB  (out[7*k+1]),
        .DOC  (out[7*k+2]),
        .DOD  (out[7*k+3]),
        .DOE  (out[7*k+4]),
        .DOF  (out[7*k+5]),
        .DOG  (out[7*k+6]),
        .DOH  ()
      );
    end

    logic [4*Width-1:0] data;
    for (genvar j = 0; j < 4; j++) begin : gen_port
      logic [2*Pairs-1:0] word;
      for (genvar p = 0; p < Pairs; p++) begin : gen_pair
        assign word[2*p+:2] = out[j*Pairs+p];
      end
      assign data[Width*j+:Width] = word[Width-1:0];
    end
    assign {rd_data3_o, rd_data2_o, rd_data1_o, rd_data0_o} = data;
  end else begin : gen_inferred
    logic [Width-1:0] mem[Depth];
    always_ff @(posedge clk_i) if (we_i) mem[we_addr_i] <= we_data_i;
    assign rd_data0_o = mem[rd_addr_i[AddrW-1:0]];
    assign rd_data1_o = mem[rd_addr_i[2*AddrW-1:AddrW]];
    assign rd_data2_o = mem[rd_addr_i[3*AddrW-1:2*AddrW]];
    assign rd_data3_o = mem[rd_addr_i[4*AddrW-1:3*AddrW]];
  end

endmodule
