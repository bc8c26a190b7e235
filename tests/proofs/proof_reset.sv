// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Every run starts with a reset; later ones may come at any time. */
module proof_reset (
  input logic clk_i,
  input logic rst_ni
);

  logic begun_q;

  initial begun_q = 1'b0;
  always_ff @(posedge clk_i) begun_q <= 1'b1;

  always_ff @(posedge clk_i) begin
    StartsInReset_A : assume (begun_q || !rst_ni);
  end

endmodule
