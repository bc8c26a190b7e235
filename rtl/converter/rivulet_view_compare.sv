// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * The two comparators of one lane: does a stored code reach the upper, the lower threshold?
 * Combinational.
 */
module rivulet_view_compare
  import rivulet_converter_pkg::*;
(
  input  logic [7:0] code_i,   // two's complement
  input  threshold_t upper_i,
  input  threshold_t lower_i,
  output logic       above_o,  // code >= upper
  output logic       below_o   // code <= lower
);

  // a >= b for unsigned bytes, in groups that fit six-input LUTs.
  function automatic logic at_least(logic [7:0] a, logic [7:0] b);
    logic high_greater, high_equal, middle_greater, middle_equal, low_at_least;
    high_greater   = a[7:5] > b[7:5];
    high_equal     = a[7:5] == b[7:5];
    middle_greater = a[4:2] > b[4:2];
    middle_equal   = a[4:2] == b[4:2];
    low_at_least   = a[1:0] >= b[1:0];
    return high_greater || (high_equal && (middle_greater || (middle_equal && low_at_least)));
  endfunction

  logic [7:0] offset;

  assign offset  = code_i ^ 8'h80;
  assign above_o = !upper_i.never && at_least(offset, upper_i.offset);
  assign below_o = !lower_i.never && at_least(lower_i.offset, offset);

endmodule
