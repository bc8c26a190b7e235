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

  // A threshold on the stored code; beyond -128..127 it is never, or always, reached.
  typedef logic signed [8:0] threshold_t;

  // What the lanes of one request need: a view (docs/numerics.md, section 9) made ready for them.
  typedef struct packed {
    logic [2:0] shift;
    logic       round;  // add half before the shift
    logic [3:0] high;   // q4 code from `upper` on
    logic [3:0] low;    // q4 code up to `lower`
    threshold_t upper;  // codes >= upper give high (q4) or +1 (q2)
    threshold_t lower;  // codes <= lower give low (q4) or -1 (q2)
  } lane_view_t;

endpackage
