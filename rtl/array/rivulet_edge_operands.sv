// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Operands of the edge units that all positions share: the scale of each column that a beat ends, and
 * the exponent of its products as far as the row of the tile does not matter (docs/numerics.md §6).
 *
 *   codes  scale = BF16 factor of the column, e = field(scale) - 259 - align_w
 *   BF16   scale = 1, factor = {align_w of the unit, exponent field of the unit},
 *          e = field - 250 - align_w of the unit - align_w of the tile
 *
 * To e the edge unit adds the exponent field of the row, then value = product * 2^e. One register:
 * the outputs follow the inputs by one cycle.
 */
module rivulet_edge_operands
  import rivulet_pkg::*;
#(
  parameter int unsigned Edges = 1
) (
  input  logic                  clk_i,
  input  logic                  valid_i,
  input  stream_e               stream_i,
  input  logic      [      4:0] align_w_i,      // of the tile
  input  logic      [      1:0] quad_column_i,  // of the first column that ends
  input  logic      [     63:0] factors_i,      // of the quad
  output logic                  unit_scale_o,   // the scale is one
  output bf16_t     [Edges-1:0] scale_o,
  output exponent_t [Edges-1:0] exponent_o,
  output logic      [Edges-1:0] special_o       // an Inf or NaN
);

  logic bf16;
  assign bf16 = (stream_i == StreamBf16);

  always_ff @(posedge clk_i) if (valid_i) unit_scale_o <= bf16;

  for (genvar e = 0; e < Edges; e++) begin : gen_edge
    logic [1:0] column;  // edge unit e holds the columns e, e + Edges, ...
    bf16_t factor;
    logic [7:0] field;
    exponent_t bias;
    assign column = (Edges == 1) ? quad_column_i
        : ((Edges == 2) ? {quad_column_i[1], 1'(e)} : 2'(e));
    assign factor = factors_i[16*column+:16];
    assign field = bf16 ? factor[7:0] : factor[14:7];
    assign bias = bf16 ? 11'sd250 + exponent_t'({6'd0, factor[12:8]}) : 11'sd259;
    always_ff @(posedge clk_i) begin
      if (valid_i) begin
        scale_o[e]    <= factor;
        special_o[e]  <= (field == 8'hFF);
        exponent_o[e] <= exponent_t'({3'd0, field}) - bias - exponent_t'({6'd0, align_w_i});
      end
    end
  end

endmodule
