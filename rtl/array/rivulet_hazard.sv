// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Hazard of the partial sums: tells whether a beat may not end its columns because one of them was
 * ended by a beat that entered 1 to Cycles cycles ago, so that its sum is not written yet.
 *
 * A column is a word of the partial sums and an edge unit; edges are all edge units that a beat of
 * its stream can use (the last beat of a segment may wait for a column that it does not have).
 *
 * hazard_o is a register: what it says of the beat of the next cycle is found in this one, for both
 * beats that it can be, the present one and the one behind it; move_i decides. A beat that enters
 * and ends columns (ends_i not zero) moves on. Cycles at least 1.
 */
module rivulet_hazard #(
  parameter int unsigned WordW  = 11,
  parameter int unsigned Edges  = 1,
  parameter int unsigned Cycles = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // The present beat, and the edge units that end a column if it enters
  input  logic             fire_i,        // it enters
  input  logic [WordW-1:0] word_i,
  input  logic [Edges-1:0] edges_i,
  input  logic [Edges-1:0] ends_i,
  // The beat behind it
  input  logic             move_i,        // is the present one in the next cycle
  input  logic [WordW-1:0] next_word_i,
  input  logic [Edges-1:0] next_edges_i,
  // Of the present beat
  output logic             hazard_o
);

  if (Cycles < 1) begin : gen_bad_cycles
    $fatal(1, "rivulet_hazard: Cycles must be at least 1");
  end

  // The beat behind waits for the present one, too.
  logic hit_present;
  assign hit_present = (word_i == next_word_i) && ((ends_i & next_edges_i) != '0);

  logic hit, next_hit;  // with beats that entered before

  if (Cycles > 1) begin : gen_history
    localparam int unsigned Stages = Cycles - 1;
    logic [Stages*WordW-1:0] words_q;  // of the beat that entered s + 1 cycles ago at s
    logic [Stages*Edges-1:0] edges_q;  // none if none entered
    logic [Stages-1:0] hits, next_hits;

    for (genvar s = 0; s < Stages; s++) begin : gen_stage
      assign hits[s] = (words_q[WordW*s+:WordW] == word_i) &&
          ((edges_q[Edges*s+:Edges] & edges_i) != '0);
      assign next_hits[s] = (words_q[WordW*s+:WordW] == next_word_i) &&
          ((edges_q[Edges*s+:Edges] & next_edges_i) != '0);
    end
    assign hit      = (hits != '0);
    assign next_hit = (next_hits != '0);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) edges_q <= '0;
      else edges_q <= (Stages * Edges)'({edges_q, fire_i ? ends_i : Edges'(0)});
    end

    always_ff @(posedge clk_i) words_q <= (Stages * WordW)'({words_q, word_i});
  end else begin : gen_no_history
    logic unused_inputs;
    assign unused_inputs = ^{fire_i, edges_i};
    assign hit           = 1'b0;
    assign next_hit      = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hazard_o <= 1'b0;
    else hazard_o <= move_i ? hit_present || next_hit : hit;
  end

endmodule
