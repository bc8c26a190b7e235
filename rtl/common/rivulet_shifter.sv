// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Combinational barrel shifter, two shift bits per stage: one six-input LUT per bit and stage.
 *
 * Left = 1 shifts towards the most significant bit; Left = 0 towards the least significant one, and
 * sticky_o tells whether a set bit was shifted out. Shifts of Width or more give zero.
 */
module rivulet_shifter #(
  parameter  int unsigned Width  = 40,
  parameter  int unsigned ShiftW = 6,
  parameter  bit          Left   = 1'b0,
  localparam int unsigned Stages = (ShiftW + 1) / 2
) (
  input  logic [ Width-1:0] data_i,
  input  logic [ShiftW-1:0] shift_i,
  output logic [ Width-1:0] data_o,
  output logic              sticky_o
);

  function automatic logic [Width-1:0] by(logic [Width-1:0] value, int unsigned bits);
    if (bits >= Width) return '0;
    return Left ? (value << bits) : (value >> bits);
  endfunction

  // Is a bit set among `count` bits from bit `low` up?
  function automatic logic any(logic [Width-1:0] value, int unsigned low, int unsigned count);
    logic [Width-1:0] rest;
    if (low >= Width) return 1'b0;
    rest = value >> low;
    if (count >= Width) return rest != '0;
    return (rest & ~({Width{1'b1}} << count)) != '0;
  endfunction

  logic [2*Stages-1:0] shift;
  assign shift = (2 * Stages)'(shift_i);

  always_comb begin
    data_o   = data_i;
    sticky_o = 1'b0;
    for (int unsigned s = 0; s < Stages; s++) begin
      logic [Width-1:0] in;
      in = data_o;
      data_o = shift[2*s+1] ? (shift[2*s] ? by(in, 3 << (2 * s)) : by(in, 2 << (2 * s))) :
          (shift[2*s] ? by(in, 1 << (2 * s)) : in);
      if (!Left) begin
        sticky_o = sticky_o || ((shift[2*s+1] || shift[2*s]) && any(in, 0, 1 << (2 * s))) ||
            (shift[2*s+1] && any(in, 1 << (2 * s), 1 << (2 * s))) ||
            (shift[2*s+1] && shift[2*s] && any(in, 2 << (2 * s), 1 << (2 * s)));
      end
    end
  end

endmodule
