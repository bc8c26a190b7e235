// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Prepares a view for the lanes: what depends on the request only, once instead of in each lane.
 * Combinational. Arithmetic: docs/numerics.md, section 9.
 *
 * The q4 map M(z) = sat4((clamp(z, -C, C) + h) >> k) rises with z. Clamp and saturation act only on
 * codes from upper = min(C, first code that gives 7) on, which all give M(upper), and up to lower =
 * max(-C, last code that gives -8), which all give M(lower). So a lane needs two comparisons of the
 * raw code, as it has for q2, and the shift.
 */
module rivulet_view_prepare
  import rivulet_pkg::*;
  import rivulet_converter_pkg::*;
(
  input  tier_e      tier_i,
  input  view_t      view_i,
  output lane_view_t lane_view_o
);

  typedef logic signed [9:0] s10_t;

  logic round;
  s10_t half, seven, clamp, first_seven, last_minus_eight, upper, lower;

  assign round            = view_i.round_half_up && view_i.shift != 3'd0;
  assign half             = round ? s10_t'((10'd1 << view_i.shift) >> 1) : 10'sd0;
  assign seven            = s10_t'(10'd7 << view_i.shift);
  assign clamp            = s10_t'({2'b00, view_i.clamp});
  assign first_seven      = seven - half;
  assign last_minus_eight = -10'sd1 - seven - half;

  always_comb begin
    upper             = clamp < first_seven ? clamp : first_seven;
    lower             = -clamp > last_minus_eight ? -clamp : last_minus_eight;
    lane_view_o.shift = view_i.shift;
    lane_view_o.round = round;
    lane_view_o.high  = 4'((upper + half) >>> view_i.shift);
    lane_view_o.low   = 4'((lower + half) >>> view_i.shift);
    lane_view_o.upper = tier_i == TierQ4 ? threshold_t'(upper) : view_i.theta_p;
    lane_view_o.lower = tier_i == TierQ4 ? threshold_t'(lower) : view_i.theta_n;
  end

endmodule
