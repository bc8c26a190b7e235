// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Technology cell: sum of three numbers, modulo 2^Width, one LUT6_2 per bit. Combinational.
 *
 * The lower output of each LUT saves the carry of its three bits, the upper one adds the carry
 * saved by the bit below; the carry chain sums the two. Behaviour: tech/generic/rivulet_add3.sv.
 */
module rivulet_add3 #(
  parameter int unsigned Width = 20
) (
  input  logic signed [Width-1:0] a_i,
  input  logic signed [Width-1:0] b_i,
  input  logic signed [Width-1:0] c_i,
  output logic signed [Width-1:0] sum_o
);

  localparam int unsigned Chains = (Width + 3) / 4;

  logic [Width:0] saved;  // carry saved for bit i, of bit i - 1
  logic [4*Chains-1:0] propagate, generate_in, sum;
  logic [4*Chains-1:0] carry;

  assign saved[0] = 1'b0;

  for (genvar i = 0; i < 4 * Chains; i++) begin : gen_bit
    if (i < Width) begin : gen_lut
      // O5 = majority(a, b, c); O6 = a ^ b ^ c ^ d with d the saved carry.
      LUT6_2 #(
        .INIT(64'h9669_6996_E8E8_E8E8)
      ) u_lut (
        .I0(a_i[i]),
        .I1(b_i[i]),
        .I2(c_i[i]),
        .I3(1'b0),
        .I4(saved[i]),
        .I5(1'b1),
        .O6(propagate[i]),
        .O5(saved[i+1])
      );
      assign generate_in[i] = saved[i];
      assign sum_o[i]       = sum[i];
    end else begin : gen_pad
      assign propagate[i]   = 1'b0;
      assign generate_in[i] = 1'b0;
    end
  end

  for (genvar k = 0; k < Chains; k++) begin : gen_chain
    CARRY4 u_carry (
      .CI    ((k == 0) ? 1'b0 : carry[(k==0)?0 : 4*k-1]),
      .CYINIT(1'b0),
      .DI    (generate_in[4*k+:4]),
      .S     (propagate[4*k+:4]),
      .O     (sum[4*k+:4]),
      .CO    (carry[4*k+:4])
    );
  end

endmodule
