// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Adder tree: the sum of Inputs signed numbers, three to one per level, one register per level.
 *
 * Number i stands in bits Width * i and up. Latency Levels = ceil(log3(Inputs)) cycles, one sum per
 * cycle. Level l moves only while en_i[l] is high (the valid bit of its operands), so that an idle
 * tree does not toggle. An FPGA with six-input LUTs and carry chains adds three numbers for the
 * price of two (rivulet_add3).
 */
module rivulet_adder_tree #(
  parameter  int unsigned Inputs = 16,
  parameter  int unsigned Width  = 18,
  parameter  int unsigned Levels = 3,                          // ceil(log3(Inputs))
  localparam int unsigned EnW    = (Levels > 0) ? Levels : 1,
  localparam int unsigned SumW   = Width + $clog2(Inputs)
) (
  input  logic                           clk_i,
  input  logic        [         EnW-1:0] en_i,
  input  logic        [Inputs*Width-1:0] value_i,
  output logic signed [        SumW-1:0] sum_o
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
    localparam int unsigned InW = bits(l);
    localparam int unsigned OutW = bits(l + 1);

    for (genvar i = 0; i < In; i++) begin : gen_in
      logic signed [InW-1:0] value;
      if (l == 0) begin : gen_first
        assign value = $signed(value_i[Width*i+:Width]);
      end else begin : gen_next
        assign value = gen_level[l-1].gen_sum[i].sum_q;
      end
    end

    for (genvar i = 0; i < numbers(l + 1); i++) begin : gen_sum
      localparam int unsigned Left = In - 3 * i;  // numbers from the first one of this sum on
      logic signed [OutW-1:0] sum, sum_q;
      if (Left >= 3) begin : gen_three
        rivulet_add3 #(
          .Width(OutW)
        ) u_add (
          .a_i  (OutW'(gen_in[3*i].value)),
          .b_i  (OutW'(gen_in[3*i+1].value)),
          .c_i  (OutW'(gen_in[3*i+2].value)),
          .sum_o(sum)
        );
      end else if (Left == 2) begin : gen_two
        assign sum = OutW'(gen_in[3*i].value) + OutW'(gen_in[3*i+1].value);
      end else begin : gen_one
        assign sum = OutW'(gen_in[3*i].value);
      end
      always_ff @(posedge clk_i) if (en_i[l]) sum_q <= sum;
    end
  end

  if (Levels > 0) begin : gen_out
    assign sum_o = gen_level[Levels-1].gen_sum[0].sum_q;
  end

endmodule
