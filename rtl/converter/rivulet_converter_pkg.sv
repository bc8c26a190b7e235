// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Types of the precision converter. */
package rivulet_converter_pkg;

  import rivulet_pkg::s8_t;

  // Saturating event counters (rivulet_counter): all upper 16 bits ones means "at least".
  localparam int unsigned COUNT_BITS = 48;
  localparam int unsigned COUNT_ADD_BITS = 32;
  typedef logic [COUNT_BITS-1:0] count_t;

  // Both arrays are indexed by rivulet_pkg::tier_e.
  typedef struct packed {
    count_t [3:0] codes;  // codes of accepted requests; at q0: codes that were not read
    count_t [3:0] beats;  // beats accepted by the link; none at q0
  } converter_counters_t;

  // A threshold on the stored code; beyond -128..127 it is never, or always, reached.
  typedef logic signed [8:0] threshold_t;

  // What the lanes of one request need: a view (docs/numerics.md, section 9) made ready for them by
  // rivulet_view_prepare. Thresholds are those of the request's tier; lower <= upper.
  typedef struct packed {
    logic [2:0] shift;  // 0 to 5
    logic       round;  // add half before the shift
    logic [3:0] high;   // q4 code from `upper` on
    logic [3:0] low;    // q4 code below `lower`
    threshold_t upper;  // codes from here on give high (q4) or +1 (q2)
    threshold_t lower;  // codes below give low (q4) or -1 (q2)
  } lane_view_t;

  // The q2 view of one stored code: -1, 0 or +1.
  function automatic logic [1:0] view_q2(s8_t code, threshold_t upper, threshold_t lower);
    logic above, below;
    above = threshold_t'(code) >= upper;
    below = threshold_t'(code) < lower;
    return {below, above || below};
  endfunction

  // The q4 view of one stored code: shift, optional half, and the ends of the range.
  function automatic logic [3:0] view_q4(s8_t code, lane_view_t view);
    logic above, below;
    logic [5:0] near;  // shifted but for the last place
    logic [4:0] sum;  // one fraction bit is kept: the half is added there
    above = threshold_t'(code) >= view.upper;
    below = threshold_t'(code) < view.lower;
    near  = view.shift[2] ? {code[7], code[7:3]} : view.shift[1] ? code[6:1] : {code[4:0], 1'b0};
    sum   = (view.shift[0] ? near[5:1] : near[4:0]) + 5'(view.round);
    return (above || below) ? (above ? view.high : view.low) : 4'(sum >> 1);
  endfunction

  // 64 bits of a beat at q4, at q2.
  function automatic logic [63:0] part_q4(s8_t [15:0] codes, lane_view_t view);
    for (int unsigned i = 0; i < 16; i++) part_q4[4*i+:4] = view_q4(codes[i], view);
  endfunction

  function automatic logic [63:0] part_q2(s8_t [31:0] codes, threshold_t upper, threshold_t lower);
    for (int unsigned i = 0; i < 32; i++) part_q2[2*i+:2] = view_q2(codes[i], upper, lower);
  endfunction

endpackage
