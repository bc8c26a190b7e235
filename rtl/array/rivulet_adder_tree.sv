// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Adder tree: the sum of Inputs signed numbers, one register per level.
 *
 * Latency clog2(Inputs) cycles, one sum per cycle. Level l moves only while en_i[l] is high (the
 * valid bit of its operands), so that an idle tree does not toggle.
 */
module rivulet_adder_tree #(
  parameter  int unsigned Inputs = 16,                          // at least 2
  parameter  int unsigned Width  = 18,
  localparam int unsigned Levels = $clog2(Inputs),
  localparam int unsigned SumW   = Width + Levels
) (
  input  logic                    clk_i,
  input  logic [Levels-1:0]       en_i,
  input  logic signed [Width-1:0] value_i[Inputs],
  output logic signed [SumW-1:0]  sum_o
);

  for (genvar l = 0; l < Levels; l++) begin : gen_level
    localparam int unsigned In  = (Inputs + (1 << l) - 1) >> l;
    localparam int unsigned Out = (In + 1) / 2;
    logic signed [Width+l-1:0] in[In];
    logic signed [Width+l:0]   out_q[Out];

    if (l == 0) begin : gen_first
      assign in = value_i;
    end else begin : gen_next
      assign in = gen_level[l-1].out_q;
    end

    always_ff @(posedge clk_i) begin
      if (en_i[l]) begin
        for (int unsigned i = 0; i < Out; i++) begin
          if (2 * i + 1 < In) out_q[i] <= (Width + l + 1)'(in[2*i]) + (Width + l + 1)'(in[2*i+1]);
          else out_q[i] <= (Width + l + 1)'(in[2*i]);
        end
      end
    end
  end

  assign sum_o = gen_level[Levels-1].out_q[0];

endmodule
