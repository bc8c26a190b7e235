// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Technology cell: sum of three numbers, modulo 2^Width. Combinational.
 *
 * This is the behaviour; tech/xilinx holds the same module built of six-input LUTs and carry
 * chains, which synthesis for AMD devices uses instead.
 */
module rivulet_add3 #(
  parameter int unsigned Width = 20
) (
  input  logic signed [Width-1:0] a_i,
  input  logic signed [Width-1:0] b_i,
  input  logic signed [Width-1:0] c_i,
  output logic signed [Width-1:0] sum_o
);

  assign sum_o = a_i + b_i + c_i;

endmodule
