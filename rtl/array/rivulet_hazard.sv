// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Hazard of the partial sums: tells whether a beat may not end its columns because one of them was
 * ended by a beat that entered 1 to Cycles cycles ago, so that its sum is not written yet.
 *
 * A column is a word of the partial sums and an edge unit. hazard_o is combinational in word_i and
 * edges_i (all edge units that a beat of this stream can use: the last beat of a segment may wait
 * for a column that it does not have). ends_i: those that end a column in this cycle, if a beat
 * enters. Cycles at least 1.
 */
module rivulet_hazard #(
  parameter int unsigned WordW  = 11,
  parameter int unsigned Edges  = 1,
  parameter int unsigned Cycles = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [WordW-1:0] word_i,
  input  logic [Edges-1:0] edges_i,
  input  logic [Edges-1:0] ends_i,
  output logic             hazard_o
);

  if (Cycles < 1) begin : gen_bad_cycles
    $fatal(1, "rivulet_hazard: Cycles must be at least 1");
  end

  logic [Cycles*WordW-1:0] words_q;  // of the beat that entered s + 1 cycles ago at s
  logic [Cycles*Edges-1:0] edges_q;  // none if none entered
  logic [      Cycles-1:0] hit;

  for (genvar s = 0; s < Cycles; s++) begin : gen_stage
    assign hit[s] = (words_q[WordW*s+:WordW] == word_i) &&
        ((edges_q[Edges*s+:Edges] & edges_i) != '0);
  end
  assign hazard_o = (hit != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) edges_q <= '0;
    else edges_q <= (Cycles * Edges)'({edges_q, ends_i});
  end

  always_ff @(posedge clk_i) words_q <= (Cycles * WordW)'({words_q, word_i});

endmodule
