// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Technology cell: combinational butterfly network, column c of data_o is column c ^ select_i of
 * data_i.
 *
 * 2^LogColumns columns of ColumnW bits, LogColumns at least 1. It is its own inverse. One stage of
 * conditional swaps per bit of select_i.
 */
module rivulet_butterfly #(
  parameter  int unsigned LogColumns = 7,
  parameter  int unsigned ColumnW    = 2,
  localparam int unsigned Columns    = 1 << LogColumns
) (
  input  logic [Columns*ColumnW-1:0] data_i,
  input  logic [     LogColumns-1:0] select_i,
  output logic [Columns*ColumnW-1:0] data_o
);

  typedef logic [Columns*ColumnW-1:0] row_t;

  for (genvar s = 0; s < LogColumns; s++) begin : gen_stage
    localparam int unsigned Bits = ColumnW << s;
    // The columns whose number has no bit s.
    localparam row_t Low = {(Columns >> (s + 1)) {{Bits{1'b0}}, {Bits{1'b1}}}};
    row_t in, out;
    if (s == 0) begin : gen_first
      assign in = data_i;
    end else begin : gen_next
      assign in = gen_stage[s-1].out;
    end
    always_comb begin
      out = in;
      if (select_i[s]) out = ((in & Low) << Bits) | ((in >> Bits) & Low);
    end
  end

  assign data_o = gen_stage[LogColumns-1].out;

endmodule
