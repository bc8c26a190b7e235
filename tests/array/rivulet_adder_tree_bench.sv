// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * The adder tree with ports that are plain vectors, so that the model of its RTL and the model of its
 * netlist have the same C++ interface. Number i stands in bits Width * i and up. No logic.
 */
module rivulet_adder_tree_bench #(
  parameter  int unsigned Inputs = 22,
  parameter  int unsigned Width  = 18,
  parameter  int unsigned Levels = 3,
  localparam int unsigned SumW   = Width + $clog2(Inputs)
) (
  input  logic                    clk_i,
  input  logic [      Levels-1:0] en_i,
  input  logic [Inputs*Width-1:0] value_i,
  output logic [        SumW-1:0] sum_o
);

  logic signed [Width-1:0] value[Inputs];
  logic signed [ SumW-1:0] sum;

  for (genvar i = 0; i < Inputs; i++) begin : gen_input
    assign value[i] = value_i[Width*i+:Width];
  end
  assign sum_o = sum;

  rivulet_adder_tree #(
    .Inputs(Inputs),
    .Width (Width),
    .Levels(Levels)
  ) u_tree (
    .clk_i,
    .en_i,
    .value_i(value),
    .sum_o  (sum)
  );

endmodule
