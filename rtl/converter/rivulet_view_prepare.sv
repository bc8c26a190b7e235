// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Prepares a view for the lanes: what depends on the request only, once instead of in each lane.
 * Combinational. Arithmetic: docs/numerics.md, section 9.
 *
 * The q4 map M(z) = sat4((clamp(z, -C, C) + h) >> k) rises with z. Clamp and saturation act only on
 * codes from min(C, first code that gives 7) on, which all give the same, and up to -min(C, minus the
 * last code that gives -8), which all give the same. So a lane needs two comparisons of the raw code,
 * as it has for q2, and the shift.
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
  // q4: tables over shift and rounding
  // ---------------------------------------------------------------------------------------------
  logic round, high_is_7, low_is_8;
  logic [7:0] clamp, upper_end, lower_end;
  logic [7:0] seven;  // first code that gives 7
  logic [7:0] minus_eight;  // minus the last code that gives -8
  logic [3:0] high, low;  // of a clamp that acts before the saturation
  threshold_t upper_q4, lower_q4;

  assign round = view_i.round_half_up && view_i.shift != 3'd0;
  assign clamp = view_i.clamp;  // 1 to 128

  always_comb begin
    seven       = '0;
    minus_eight = '0;
    high        = '0;
    low         = '0;
    for (int unsigned k = 0; k <= 5; k++) begin
      logic [7:0] half;
      half = round ? 8'((1 << k) >> 1) : 8'd0;
      if (view_i.shift == 3'(k)) begin
        seven       = 8'(7 << k) - half;
        minus_eight = 8'(7 << k) + half + 8'd1;
        high        = 4'((9'(clamp) + 9'(half)) >> k);
        low         = 4'((9'(half) - 9'(clamp)) >> k);
      end
    end
  end

  assign high_is_7 = clamp >= seven;
  assign low_is_8  = clamp >= minus_eight;
  assign upper_end = high_is_7 ? seven : clamp;
  assign lower_end = low_is_8 ? minus_eight : clamp;
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
    lane_view_o.high  = high_is_7 ? 4'd7 : high;
    lane_view_o.low   = low_is_8 ? 4'd8 : low;
    lane_view_o.upper = tier_i == TierQ4 ? upper_q4 : view_i.theta_p;
    lane_view_o.lower = tier_i == TierQ4 ? lower_q4 : lower_q2;
  end

endmodule
