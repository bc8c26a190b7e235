// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Types of the precision converter. */
package rivulet_converter_pkg;

  // Saturating event counters (rivulet_counter): all upper 16 bits ones means "at least".
  localparam int unsigned COUNT_BITS = 48;
  localparam int unsigned COUNT_ADD_BITS = 32;
  typedef logic [COUNT_BITS-1:0] count_t;

  // Both arrays are indexed by rivulet_pkg::tier_e.
  typedef struct packed {
    count_t [3:0] codes;  // codes of accepted requests; at q0: codes that were not read
    count_t [3:0] beats;  // beats accepted by the link; none at q0
  } converter_counters_t;

  // A threshold on a stored code plus 128 (0 to 255): 0 is reached by every code, 256 by none.
  typedef logic [8:0] threshold_t;

  // What the lanes of one request need: a view (docs/numerics.md, section 9) made ready for them by
  // rivulet_view_prepare. Thresholds are for the tier of the request, and lower <= upper.
  typedef struct packed {
    logic [2:0] shift;  // 0 to 5
    logic       round;  // add half before the shift
    logic [3:0] high;   // q4 code from `upper` on
    logic [3:0] low;    // q4 code below `lower`
    threshold_t upper;  // codes from here on give high (q4) or +1 (q2)
    threshold_t lower;  // codes below give low (q4) or -1 (q2)
  } lane_view_t;

  // Does a stored code reach a threshold?
  function automatic logic reaches(logic [7:0] code, threshold_t threshold);
    return !threshold[8] && ({!code[7], code[6:0]} >= threshold[7:0]);
  endfunction

  // The q2 view of one stored code: -1, 0 or +1.
  function automatic logic [1:0] view_q2(logic [7:0] code, threshold_t upper,
                                               threshold_t lower);
    logic above, below;
    above = reaches(code, upper);
    below = !reaches(code, lower);
    return {below, above || below};
  endfunction

  // The q4 view of one stored code: shift, optional half, and the ends of the range.
  function automatic logic [3:0] view_q4(logic [7:0] code, lane_view_t view);
    // One fraction bit is kept: it is the half that is added.
    logic [4:0] shifted;
    unique case (view.shift)
      3'd0:    shifted = {code[3:0], 1'b0};
      3'd1:    shifted = code[4:0];
      3'd2:    shifted = code[5:1];
      3'd3:    shifted = code[6:2];
      3'd4:    shifted = code[7:3];
      default: shifted = {code[7], code[7:4]};
    endcase
    if (reaches(code, view.upper)) return view.high;
    if (!reaches(code, view.lower)) return view.low;
    return shifted[4:1] + 4'(view.round && shifted[0]);
  endfunction

  // 64 bits of a beat at q4, at q2.
  function automatic logic [63:0] part_q4(logic [15:0][7:0] codes, lane_view_t view);
    for (int unsigned i = 0; i < 16; i++) part_q4[4*i+:4] = view_q4(codes[i], view);
  endfunction

  function automatic logic [63:0] part_q2(logic [31:0][7:0] codes, threshold_t upper,
                                                threshold_t lower);
    for (int unsigned i = 0; i < 32; i++) part_q2[2*i+:2] = view_q2(codes[i], upper, lower);
  endfunction

endpackage
