// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Order of a stream cell with a latency of one cycle or more: no word is lost, doubled, changed or
 * overtaken.
 *
 * mark_i is free: it picks any one word that enters. The words in flight at that time leave first,
 * then the marked one, unchanged. As any word can be the marked one, this holds for all.
 */
`include "rivulet_assert.svh"

module proof_order #(
  parameter int unsigned Width = 2,
  parameter int unsigned Most  = 4   // words in flight
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             mark_i,
  input logic             in_fire_i,
  input logic [Width-1:0] in_i,
  input logic             out_fire_i,
  input logic [Width-1:0] out_i
);

  localparam int unsigned CountW = $clog2(Most + 1);

  logic [CountW-1:0] level_q;  // words in flight
  logic [CountW-1:0] ahead_q;  // of those, in front of the marked word
  logic              marked_q;  // the marked word is in flight
  logic [ Width-1:0] word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      level_q  <= '0;
      ahead_q  <= '0;
      marked_q <= 1'b0;
    end else begin
      level_q <= level_q + CountW'(in_fire_i) - CountW'(out_fire_i);
      if (marked_q && out_fire_i) begin
        ahead_q  <= ahead_q - CountW'(1);
        marked_q <= (ahead_q != '0);
      end else if (!marked_q && mark_i && in_fire_i) begin
        ahead_q  <= level_q - CountW'(out_fire_i);
        marked_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!marked_q) word_q <= in_i;
  end

  `ASSERT(Level_A, level_q <= CountW'(Most))
  `ASSERT(NothingFromNothing_A, !(out_fire_i && level_q == '0))
  `ASSERT(Order_A, !(marked_q && out_fire_i && ahead_q == '0) || out_i == word_q)

endmodule
