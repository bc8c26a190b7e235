// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Processing element: one pair of lanes of one position, four products a cycle.
 *
 * For each of four trees j, sum_o[j] = d0[j] * x0 + d1[j] * x1, where (x0, x1) are the stationary
 * integers of the pair in part sub_i[j] of the group and d0, d1 in -2..1 are the 2-bit digits of
 * the two streamed codes. Latency one cycle, one set of four results per cycle; sum_o holds while
 * en_i is low.
 *
 * PeKind selects how, with the same results and the same timing:
 *   0  table: the sixteen sums of each pair are read from LUT memory (written by
 *      rivulet_table_builder), so that a product costs no multiplier and no adder;
 *   1  select: only x0 and x1 are kept (they pass by as two of the entries), and each tree selects
 *      multiples of them and adds.
 */
module rivulet_pe #(
  parameter  int unsigned AlignW = 16,
  parameter  int unsigned Subs   = 4,                              // parts of a group
  parameter  int unsigned PeKind = 0,
  localparam int unsigned SubW   = (Subs > 1) ? $clog2(Subs) : 1,
  localparam int unsigned ValueW = AlignW + 2
) (
  input  logic                     clk_i,
  // Table writes
  input  logic                     we_i,
  input  logic                     we_bank_i,
  input  logic        [  SubW-1:0] we_sub_i,
  input  logic        [       3:0] we_entry_i,     // {d1, d0}
  input  logic        [ValueW-1:0] we_value_i,
  // Stream
  input  logic                     en_i,
  input  logic                     bank_i,
  input  logic        [  SubW-1:0] sub_i     [4],
  input  logic        [       3:0] digits_i  [4],  // {d1, d0}
  output logic signed [ValueW-1:0] sum_o     [4]
);

  if (PeKind == 0) begin : gen_table
    localparam int unsigned Depth = 2 * Subs * 16;
    localparam int unsigned AddrW = $clog2(Depth);
    logic [AddrW-1:0] we_addr;
    logic [AddrW-1:0] addr[4];
    logic [ValueW-1:0] value[4];

    if (Subs > 1) begin : gen_addr
      assign we_addr = {we_bank_i, we_sub_i, we_entry_i};
    end else begin : gen_addr_no_sub
      logic unused_sub;
      assign unused_sub = ^we_sub_i;
      assign we_addr    = {we_bank_i, we_entry_i};
    end

    rivulet_table_ram #(
      .Width(ValueW),
      .Depth(Depth)
    ) u_table (
      .clk_i,
      .we_i,
      .we_addr_i(we_addr),
      .we_data_i(we_value_i),
      .rd_addr_i(addr),
      .rd_data_o(value)
    );

    for (genvar j = 0; j < 4; j++) begin : gen_tree
      if (Subs > 1) begin : gen_addr
        assign addr[j] = {bank_i, sub_i[j], digits_i[j]};
      end else begin : gen_addr_no_sub
        logic unused_sub;
        assign unused_sub = ^sub_i[j];
        assign addr[j]    = {bank_i, digits_i[j]};
      end
      always_ff @(posedge clk_i) if (en_i) sum_o[j] <= value[j];
    end

  end else begin : gen_select
    localparam int unsigned Depth = 2 * Subs;
    localparam int unsigned AddrW = $clog2(Depth);
    typedef logic signed [ValueW-1:0] value_t;
    logic [AlignW-1:0] mem0[Depth];
    logic [AlignW-1:0] mem1[Depth];
    logic [AddrW-1:0] we_addr;

    if (Subs > 1) begin : gen_addr
      assign we_addr = {we_bank_i, we_sub_i};
    end else begin : gen_addr_no_sub
      logic unused_sub;
      assign unused_sub = ^we_sub_i;
      assign we_addr    = we_bank_i;
    end

    always_ff @(posedge clk_i) begin
      if (we_i && (we_entry_i == 4'b00_01)) mem0[we_addr] <= we_value_i[AlignW-1:0];
      if (we_i && (we_entry_i == 4'b01_00)) mem1[we_addr] <= we_value_i[AlignW-1:0];
    end

    function automatic value_t times(logic [1:0] digit, logic [AlignW-1:0] x);
      value_t wide;
      wide = value_t'(signed'(x));
      unique case (digit)
        2'b00:   return '0;
        2'b01:   return wide;
        2'b10:   return -(wide <<< 1);
        default: return -wide;
      endcase
    endfunction

    logic unused_value;
    assign unused_value = ^we_value_i[ValueW-1:AlignW];

    for (genvar j = 0; j < 4; j++) begin : gen_tree
      logic [AddrW-1:0] addr;
      if (Subs > 1) begin : gen_addr
        assign addr = {bank_i, sub_i[j]};
      end else begin : gen_addr_no_sub
        logic unused_sub;
        assign unused_sub = ^sub_i[j];
        assign addr       = bank_i;
      end
      always_ff @(posedge clk_i) begin
        if (en_i) begin
          sum_o[j] <= times(digits_i[j][1:0], mem0[addr]) + times(digits_i[j][3:2], mem1[addr]);
        end
      end
    end
  end

endmodule
