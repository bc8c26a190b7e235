// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * The two comparators of one lane: does a stored code reach the upper, the lower threshold?
 * Combinational.
 */
module rivulet_view_compare
  import rivulet_pkg::*;
  import rivulet_converter_pkg::*;
(
  input  s8_t        code_i,
  input  threshold_t upper_i,
  input  threshold_t lower_i,
  output logic       above_o,  // code >= upper
  output logic       below_o   // code <= lower
);

  assign above_o = threshold_t'(code_i) >= upper_i;
  assign below_o = threshold_t'(code_i) <= lower_i;

endmodule
