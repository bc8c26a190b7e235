// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Technology cell: combinational butterfly network, half a LUT6_2 per bit and stage.
 *
 * The two bits of a swap share their inputs: the lower output of a LUT makes one, the upper output
 * the other. Behaviour: tech/generic/rivulet_butterfly.sv.
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
    row_t in, out;
    if (s == 0) begin : gen_first
      assign in = data_i;
    end else begin : gen_next
      assign in = gen_stage[s-1].out;
    end
    for (genvar i = 0; i < Columns * ColumnW / 2; i++) begin : gen_swap
      // Pair i: bit `Low` and the same bit of the other column.
      localparam int unsigned Low = i / Bits * 2 * Bits + i % Bits;
      // O5 = I2 ? I1 : I0; O6 = I2 ? I0 : I1.
      LUT6_2 #(
        .INIT(64'hACAC_ACAC_CACA_CACA)
      ) u_lut (
        .I0(in[Low]),
        .I1(in[Low+Bits]),
        .I2(select_i[s]),
        .I3(1'b0),
        .I4(1'b0),
        .I5(1'b1),
        .O6(out[Low+Bits]),
        .O5(out[Low])
      );
    end
  end

  assign data_o = gen_stage[LogColumns-1].out;

endmodule
