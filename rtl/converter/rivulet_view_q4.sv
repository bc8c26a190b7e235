// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * The q4 view of one stored code: shift, optional half, and the ends of the range.
 * Combinational. `above_i` and `below_i` are the comparisons with the thresholds of a q4 view, see
 * rivulet_view_prepare.
 */
module rivulet_view_q4
  import rivulet_pkg::*;
(
  input  s8_t        code_i,
  input  logic [2:0] shift_i,  // 0 to 5
  input  logic       round_i,
  input  logic       above_i,
  input  logic       below_i,
  input  logic [3:0] high_i,
  input  logic [3:0] low_i,
  output logic [3:0] code_o
);

  // One fraction bit is kept: it is the half that is added.
  logic [4:0] shifted;

  always_comb begin
    unique case (shift_i)
      3'd0:    shifted = {code_i[3:0], 1'b0};
      3'd1:    shifted = code_i[4:0];
      3'd2:    shifted = code_i[5:1];
      3'd3:    shifted = code_i[6:2];
      3'd4:    shifted = code_i[7:3];
      default: shifted = {code_i[7], code_i[7:4]};
    endcase
    if (above_i) begin
      code_o = high_i;
    end else if (below_i) begin
      code_o = low_i;
    end else begin
      code_o = shifted[4:1] + 4'(round_i && shifted[0]);
    end
  end

endmodule
