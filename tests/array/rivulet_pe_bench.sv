// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * The processing element with ports that are plain vectors, so that the model of its RTL and the model
 * of its netlist have the same C++ interface. Slot j of a port stands in its bits from j times the
 * width up. No logic.
 */
module rivulet_pe_bench #(
  parameter  int unsigned AlignW = 16,
  parameter  int unsigned Subs   = 4,
  parameter  int unsigned PeKind = 0,
  localparam int unsigned SubW   = (Subs > 1) ? $clog2(Subs) : 1,
  localparam int unsigned ValueW = AlignW + 2
) (
  input  logic                clk_i,
  input  logic                we_i,
  input  logic                we_bank_i,
  input  logic [    SubW-1:0] we_sub_i,
  input  logic [         3:0] we_entry_i,
  input  logic [  ValueW-1:0] we_value_i,
  input  logic                en_i,
  input  logic                bank_i,
  input  logic [  4*SubW-1:0] sub_i,
  input  logic [        15:0] digits_i,
  output logic [4*ValueW-1:0] sum_o
);

  logic        [  SubW-1:0] sub   [4];
  logic        [       3:0] digits[4];
  logic signed [ValueW-1:0] sum   [4];

  for (genvar j = 0; j < 4; j++) begin : gen_slot
    assign sub[j]                  = sub_i[SubW*j+:SubW];
    assign digits[j]               = digits_i[4*j+:4];
    assign sum_o[ValueW*j+:ValueW] = sum[j];
  end

  rivulet_pe #(
    .AlignW(AlignW),
    .Subs  (Subs),
    .PeKind(PeKind)
  ) u_pe (
    .clk_i,
    .we_i,
    .we_bank_i,
    .we_sub_i,
    .we_entry_i,
    .we_value_i,
    .en_i,
    .bank_i,
    .sub_i   (sub),
    .digits_i(digits),
    .sum_o   (sum)
  );

endmodule
