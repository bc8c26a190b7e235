// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Event counter: adds add_i in each cycle with en_i.
 *
 * Saturates: it stops for good (until reset) once its upper Width - AddWidth bits are all ones,
 * from where one more addend could wrap it. A reader that finds those bits all ones knows that the
 * count is a lower bound. Latency: count_o shows an event in the cycle after it.
 */
module rivulet_counter #(
  parameter int unsigned Width    = 48,
  parameter int unsigned AddWidth = 32
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                en_i,
  input  logic [AddWidth-1:0] add_i,
  output logic [   Width-1:0] count_o
);

  if (AddWidth < 1 || Width <= AddWidth) begin : gen_width_check
    $fatal(1, "rivulet_counter: needs 1 <= AddWidth < Width");
  end

  logic [Width-1:0] count_q;

  assign count_o = count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
    end else if (en_i && !(&count_q[Width-1:AddWidth])) begin
      count_q <= count_q + Width'(add_i);
    end
  end

endmodule
