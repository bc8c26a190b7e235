// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Processing element: one pair of lanes of one position, four products a cycle.
 *
 * For each of four trees j, sum_o[j] = d0[j] * x0 + d1[j] * x1, where (x0, x1) are the stationary
 * integers of the pair in part sub_i[j] of the group and d0, d1 in -2..1 are the 2-bit digits of
 * the two streamed codes. Slot j of a port stands in its bits from j times the width up.
 *
 * Latency one cycle, one set of four results per cycle; sum_o holds while en_i is low.
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
  input  logic                clk_i,
  // Table writes
  input  logic                we_i,
  input  logic                we_bank_i,
  input  logic [    SubW-1:0] we_sub_i,
  input  logic [         3:0] we_entry_i,  // {d1, d0}
  input  logic [  ValueW-1:0] we_value_i,
  // Stream
  input  logic                en_i,
  input  logic                bank_i,
  input  logic [  4*SubW-1:0] sub_i,
  input  logic [        15:0] digits_i,    // {d1, d0} four times
  output logic [4*ValueW-1:0] sum_o
);

  // Where the pair of a part stands: written, and read by slot.
  localparam int unsigned PairW = (Subs > 1) ? 1 + SubW : 1;
  logic [  PairW-1:0] we_pair;
  logic [4*PairW-1:0] pair;

  if (Subs > 1) begin : gen_parts
    assign we_pair = {we_bank_i, we_sub_i};
    for (genvar j = 0; j < 4; j++) begin : gen_slot
      assign pair[PairW*j+:PairW] = {bank_i, sub_i[SubW*j+:SubW]};
    end
  end else begin : gen_one_part
    logic unused_sub;
    assign unused_sub = ^{we_sub_i, sub_i};
    assign we_pair    = we_bank_i;
    assign pair       = {4{bank_i}};
  end

  logic [ValueW-1:0] sum0, sum1, sum2, sum3;
  logic [ValueW-1:0] sum0_q, sum1_q, sum2_q, sum3_q;

  if (PeKind == 0) begin : gen_table
    localparam int unsigned AddrW = PairW + 4;
    logic [4*AddrW-1:0] addr;

    for (genvar j = 0; j < 4; j++) begin : gen_slot
      assign addr[AddrW*j+:AddrW] = {pair[PairW*j+:PairW], digits_i[4*j+:4]};
    end

    rivulet_table_ram #(
      .Width(ValueW),
      .Depth(2 * Subs * 16)
    ) u_table (
      .clk_i,
      .we_i,
      .we_addr_i ({we_pair, we_entry_i}),
      .we_data_i (we_value_i),
      .rd_addr_i (addr),
      .rd_data0_o(sum0),
      .rd_data1_o(sum1),
      .rd_data2_o(sum2),
      .rd_data3_o(sum3)
    );

  end else begin : gen_select
    typedef logic signed [ValueW-1:0] value_t;
    logic [AlignW-1:0] mem0[2*Subs];
    logic [AlignW-1:0] mem1[2*Subs];

    always_ff @(posedge clk_i) begin
      if (we_i && (we_entry_i == 4'b00_01)) mem0[we_pair] <= we_value_i[AlignW-1:0];
      if (we_i && (we_entry_i == 4'b01_00)) mem1[we_pair] <= we_value_i[AlignW-1:0];
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

    logic [4*ValueW-1:0] sum;
    for (genvar j = 0; j < 4; j++) begin : gen_slot
      logic [PairW-1:0] addr;
      assign addr = pair[PairW*j+:PairW];
      assign sum[ValueW*j+:ValueW] = times(
          digits_i[4*j+:2], mem0[addr]
      ) + times(
          digits_i[4*j+2+:2], mem1[addr]
      );
    end
    assign {sum3, sum2, sum1, sum0} = sum;
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      sum0_q <= sum0;
      sum1_q <= sum1;
      sum2_q <= sum2;
      sum3_q <= sum3;
    end
  end
  assign sum_o = {sum3_q, sum2_q, sum1_q, sum0_q};

endmodule
