// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Combinational butterfly network: column c of data_o is column c ^ select_i of data_i.
 *
 * It is its own inverse. Columns is a power of two from 2 up; a six-input LUT does two of the
 * $clog2(Columns) stages of a bit.
 */
module rivulet_butterfly #(
  parameter  int unsigned Columns = 128,
  parameter  int unsigned ColumnW = 2,
  localparam int unsigned Stages  = $clog2(Columns)
) (
  input  logic [Columns*ColumnW-1:0] data_i,
  input  logic [         Stages-1:0] select_i,
  output logic [Columns*ColumnW-1:0] data_o
);

  if ((Columns < 2) || (Columns != (1 << Stages))) begin : gen_refused
    $fatal(1, "rivulet_butterfly: Columns is not a power of two from 2 up");
  end

  typedef logic [Columns*ColumnW-1:0] row_t;

  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    localparam int unsigned Bits = ColumnW << s;
    // The columns whose number has no bit s.
    localparam row_t Low = {(Columns >> (s + 1)) {{Bits{1'b0}}, {Bits{1'b1}}}};
    row_t in, out;
    if (s == 0) begin : gen_first
      assign in = data_i;
    end else begin : gen_next
      assign in = gen_stage[s-1].out;
    end
    assign out = select_i[s] ? (((in & Low) << Bits) | ((in >> Bits) & Low)) : in;
  end

  assign data_o = gen_stage[Stages-1].out;

endmodule
