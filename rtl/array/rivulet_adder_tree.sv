// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Adder tree: the sum of Inputs signed numbers, three to one per level, one register per level.
 *
 * Latency Levels = ceil(log3(Inputs)) cycles, one sum per cycle. Level l moves only while en_i[l]
 * is high (the valid bit of its operands), so that an idle tree does not toggle. An FPGA with six-
 * input LUTs and carry chains adds three numbers for the price of two (rivulet_add3).
 */
module rivulet_adder_tree #(
  parameter  int unsigned Inputs = 16,
  parameter  int unsigned Width  = 18,
  parameter  int unsigned Levels = 3,                      // ceil(log3(Inputs))
  localparam int unsigned SumW   = Width + $clog2(Inputs)
) (
  input  logic                     clk_i,
  input  logic        [Levels-1:0] en_i,
  input  logic signed [ Width-1:0] value_i[Inputs],
  output logic signed [  SumW-1:0] sum_o
);

  if (Inputs < 2 || 3 ** Levels < Inputs || 3 ** (Levels - 1) >= Inputs) begin : gen_illegal
    $fatal(1, "rivulet_adder_tree: Levels must be ceil(log3(Inputs)), Inputs at least 2");
  end

  // Numbers after l levels, and their width.
  function automatic int unsigned numbers(int unsigned l);
    int unsigned n;
    n = Inputs;
    for (int unsigned i = 0; i < l; i++) n = (n + 2) / 3;
    return n;
  endfunction
  function automatic int unsigned bits(int unsigned l);
    return ($clog2(3 ** l) < $clog2(Inputs)) ? Width + $clog2(3 ** l) : SumW;
  endfunction

  for (genvar l = 0; l < Levels; l++) begin : gen_level
    localparam int unsigned In = numbers(l);
    localparam int unsigned Out = numbers(l + 1);
    localparam int unsigned InW = bits(l);
    localparam int unsigned OutW = bits(l + 1);
    logic signed [InW-1:0] in[In];
    logic signed [OutW-1:0] sum[Out];
    logic signed [OutW-1:0] out_q[Out];

    if (l == 0) begin : gen_first
      assign in = value_i;
    end else begin : gen_next
      assign in = gen_level[l-1].out_q;
    end

    for (genvar i = 0; i < Out; i++) begin : gen_sum
      localparam int unsigned Left = In - 3 * i;  // numbers from the first one of this sum on
      if (Left >= 3) begin : gen_three
        rivulet_add3 #(
          .Width(OutW)
        ) u_add (
          .a_i  (OutW'(in[3*i])),
          .b_i  (OutW'(in[3*i+1])),
          .c_i  (OutW'(in[3*i+2])),
          .sum_o(sum[i])
        );
      end else if (Left == 2) begin : gen_two
        assign sum[i] = OutW'(in[3*i]) + OutW'(in[3*i+1]);
      end else begin : gen_one
        assign sum[i] = OutW'(in[3*i]);
      end
    end

    always_ff @(posedge clk_i) if (en_i[l]) out_q <= sum;
  end

  assign sum_o = gen_level[Levels-1].out_q[0];

endmodule
