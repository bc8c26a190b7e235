// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Prepares a view for the lanes: what depends on the request only, once instead of in each lane.
 * Combinational. Arithmetic: docs/numerics.md, section 9.
 *
 * The q4 map M(z) = sat4((clamp(z, -C, C) + h) >> k) rises with z. From min(C, 7*2^k) on, and up to
 * -min(C, 8*2^k), all codes give the same; between them neither clamp nor saturation acts. So a lane
 * needs two comparisons of the raw code, as it has for q2, and the shift.
 *
 * The q2 view gives +1 to a code that reaches both thresholds: the lower one is kept at or below the
 * upper one.
 */
module rivulet_view_prepare
  import rivulet_pkg::*;
  import rivulet_converter_pkg::*;
(
  input  tier_e      tier_i,
  input  view_t      view_i,
  output lane_view_t lane_view_o
);

  // ---------------------------------------------------------------------------------------------
  // q4
  // ---------------------------------------------------------------------------------------------
  logic round, reaches_7, reaches_8;  // does the clamp let 7, -8 through?
  logic [7:0] clamp, steps, upper_end, lower_end;
  logic [8:0] rounding;
  logic [3:0] high, low;  // where the clamp does not
  threshold_t upper_q4, lower_q4;

  assign round     = view_i.round_half_up && view_i.shift != 3'd0;
  assign rounding  = round ? 9'((10'd1 << view_i.shift) >> 1) : 9'd0;
  assign clamp     = view_i.clamp;  // 1 to 128
  assign steps     = clamp >> view_i.shift;
  assign reaches_7 = steps >= 8'd7;
  assign reaches_8 = steps >= 8'd8;
  assign high      = 4'((9'(clamp) + rounding) >> view_i.shift);
  assign low       = 4'((rounding - 9'(clamp)) >> view_i.shift);
  assign upper_end = reaches_7 ? 8'd7 << view_i.shift : clamp;
  assign lower_end = reaches_8 ? 8'd8 << view_i.shift : clamp;
  assign upper_q4  = threshold_t'({1'b0, upper_end});
  assign lower_q4  = 9'sd1 - threshold_t'({1'b0, lower_end});

  // ---------------------------------------------------------------------------------------------
  // q2
  // ---------------------------------------------------------------------------------------------
  threshold_t lower_q2;

  assign lower_q2 = view_i.theta_n >= view_i.theta_p ? view_i.theta_p : view_i.theta_n + 9'sd1;

  always_comb begin
    lane_view_o.shift = view_i.shift;
    lane_view_o.round = round;
    lane_view_o.high  = reaches_7 ? 4'd7 : high;
    lane_view_o.low   = reaches_8 ? 4'd8 : low;
    lane_view_o.upper = tier_i == TierQ4 ? upper_q4 : view_i.theta_p;
    lane_view_o.lower = tier_i == TierQ4 ? lower_q4 : lower_q2;
  end

endmodule
